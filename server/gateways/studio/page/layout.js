// What a robot's numbers mean, as DESCRIBE says it, and sensors' integers taken apart by that. docs/protocol.md is the text.

import { readWords } from "./words.js";

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} unit
 * @property {number} scale
 * @property {boolean} signed
 * @property {number[]} shape empty for one number
 * @property {number} length how many integers
 *
 * @typedef {{ name: string, fields: Field[] }} Feature
 * @typedef {{ x: number, y: number, theta: number }} Mount in the robot's frame, metres and radians
 *
 * @typedef {object} Sensor
 * @property {string} id
 * @property {string} model
 * @property {string} type
 * @property {Mount} mount
 * @property {number | null} fieldOfView radians, if the robot file says it
 * @property {number | null} rangeMax metres, likewise
 * @property {number} integers how many in all
 * @property {Feature[]} features
 *
 * @typedef {{ name: string, unit: string, part: string }} Dimension
 * @typedef {{ name: string, unit: string }} Datum
 *
 * @typedef {object} Description
 * @property {Dimension[]} dimensions
 * @property {Datum[]} data
 * @property {Sensor[]} sensors
 *
 * @typedef {Record<string, Float64Array | number[]>} Values a feature's numbers by field
 * @typedef {Record<string, Values>} Features by name
 */

/**
 * Reads the lines of an answer to DESCRIBE.
 * @param {string[]} lines
 * @returns {Description}
 */
export function readDescription(lines) {
  /** @type {Description} */
  const read = { dimensions: [], data: [], sensors: [] };
  for (const line of lines) {
    const { word, words: [name = ""], fields } = readWords(line);
    const sensor = read.sensors.at(-1);
    const feature = sensor?.features.at(-1);
    switch (word) {
      case "DIM":
        read.dimensions.push({ name, unit: fields.unit ?? "", part: fields.part ?? "other" });
        break;
      case "DATUM":
        read.data.push({ name, unit: fields.unit ?? "" });
        break;
      case "SENSOR":
        read.sensors.push({
          id: name,
          model: fields.model ?? "",
          type: fields.type ?? "",
          mount: { x: Number(fields.x_m ?? 0), y: Number(fields.y_m ?? 0), theta: Number(fields.theta_rad ?? 0) },
          fieldOfView: "field_of_view_rad" in fields ? Number(fields.field_of_view_rad) : null,
          rangeMax: "range_max_m" in fields ? Number(fields.range_max_m) : null,
          integers: Number(fields.integers ?? 0),
          features: [],
        });
        break;
      case "FEATURE":
        sensor?.features.push({ name, fields: [] });
        break;
      case "FIELD": {
        const shape = fields.shape === "scalar" ? [] : fields.shape.split("x").map(Number);
        feature?.fields.push({
          name,
          unit: fields.unit ?? "",
          scale: Number(fields.scale),
          signed: fields.signed === "1",
          shape,
          length: shape.reduce((all, size) => all * size, 1),
        });
        break;
      }
    }
  }
  return read;
}

/**
 * Reads a line `DATA <sensor> <stamp> <count> <integer>...` of a whole sensor; null if it is another line.
 * @param {string} line
 * @returns {{ id: string, stamp: number, integers: number[] } | null} the stamp in microseconds
 */
export function readData(line) {
  // A picture has many integers: no expression goes over all of them.
  if (!line.startsWith("DATA ")) return null;
  const parts = line.split(" ");
  return { id: parts[1], stamp: Number(parts[2]), integers: parts.slice(4).map(Number) };
}

/**
 * What an integer stands for, in the field's unit; infinite where there is nothing, or too near.
 * @param {Field} field
 * @param {number} integer
 */
export function valueOf({ signed, scale }, integer) {
  if (signed) {
    if (integer === 0x7fffffff) return Infinity;
    if (integer === 0x80000000) return -Infinity;
    return (integer | 0) * scale;
  }
  if (integer === 0xffffffff) return Infinity;
  if (integer === 0xfffffffe) return -Infinity;
  return integer * scale;
}

/**
 * A sensor's integers, taken apart.
 * @param {Sensor} sensor
 * @param {number[]} integers
 * @returns {Features}
 */
export function decode(sensor, integers) {
  /** @type {Features} */
  const features = {};
  let at = 0;
  for (const feature of sensor.features) {
    /** @type {Values} */
    const values = {};
    for (const field of feature.fields) {
      const part = new Float64Array(field.length);
      for (let index = 0; index < field.length; index += 1) part[index] = valueOf(field, integers[at + index] ?? 0);
      values[field.name] = part;
      at += field.length;
    }
    features[feature.name] = values;
  }
  return features;
}

/**
 * The field that is a picture, if a feature has one.
 * @param {Feature} feature
 */
export function pictureField(feature) {
  return feature.fields.find(({ unit, shape }) => unit === "rgb" && shape.length === 2) ?? null;
}

/** Whether a sensor gives pictures, which are many numbers. @param {Sensor} sensor */
export function isPicture(sensor) {
  return sensor.features.some(pictureField);
}
