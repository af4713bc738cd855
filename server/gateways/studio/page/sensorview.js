// The chosen robot's sensors as a list: which are drawn, what they say, as numbers and pictures.

import { button, make, write } from "./dom.js";
import { liveValue, toggleSwitch } from "./inspect.js";
import { isPicture, pictureField } from "./layout.js";
import { showTable } from "./numbers.js";
import { number } from "./plot.js";

/**
 * @typedef {import("./layout.js").Sensor} Sensor
 * @typedef {import("./layout.js").Field} Field
 * @typedef {import("./sensing.js").Reading} Reading
 * @typedef {ArrayLike<number>} Numbers
 * @typedef {{ show: (numbers: Numbers) => void, mark: () => void }} Shown
 * @typedef {{ isOpen: boolean, fields: Map<string, Shown> | null, fault: HTMLElement, note: HTMLElement }} Row
 */

/** Of a field with more numbers only the smallest and the largest is told. */
const MOST_ROWS = 16;

/** What is older than this when it is told is said to be, simulated seconds: a step's rounding is no age. */
const AGED_SECS = 0.001;

/** Dispatches "change" when something else is to be read. */
export class SensorView extends EventTarget {
  #traces;
  #list = make("ul", { class: "sensors" });
  #none = make("p", { class: "quiet" }, "It has none.");
  element = make("div", {}, this.#none, this.#list);
  /** @type {Sensor[]} */
  #sensors = [];
  /** What is drawn, by the sensors' names: robots of one kind share them. @type {Map<string, boolean>} */
  #drawn = new Map();
  /** @type {Map<string, Row>} */
  #rows = new Map();

  /** @param {import("./traces.js").Traces} traces */
  constructor(traces) {
    super();
    this.#traces = traces;
    traces.addEventListener("change", () => {
      for (const { fields } of this.#rows.values()) fields?.forEach(({ mark }) => mark());
      this.#changed();
    });
  }

  /** @param {Sensor[]} sensors */
  begin(sensors) {
    const open = new Set([...this.#rows].filter(([, { isOpen }]) => isOpen).map(([id]) => id));
    this.#sensors = sensors;
    this.#rows.clear();
    this.#none.hidden = sensors.length > 0;
    this.#list.replaceChildren(...sensors.map((sensor) => this.#row(sensor, open.has(sensor.id))));
    this.#changed();
  }

  /** The sensors that are drawn on the field. */
  get drawn() {
    return this.#sensors.filter((sensor) => this.#isDrawn(sensor)).map(({ id }) => id);
  }

  /** Those whose values are seen in the panel. */
  get read() {
    const isTraced = (/** @type {string} */ id) => this.#traces.all.some(({ key }) => key.startsWith(`sensor.${id}.`));
    return this.#sensors.filter(({ id }) => this.#rows.get(id)?.isOpen || isTraced(id)).map(({ id }) => id);
  }

  /**
   * @param {ReadonlyMap<string, Reading>} readings
   * @param {ReadonlySet<string>} pending the sensors that have sensed nothing yet
   * @param {(step: number) => boolean} isSeen whether it is known where the robot was then: nothing is drawn otherwise
   */
  show(readings, pending, isSeen) {
    for (const id of pending) {
      const row = this.#rows.get(id);
      if (!row) continue;
      write(row.fault, "");
      write(row.note, "nothing yet");
    }
    for (const { sensor, features, step, time, age, fault } of readings.values()) {
      const row = this.#rows.get(sensor.id);
      if (!row) continue;
      write(row.fault, fault && `Failed: ${fault}`);
      write(row.note, age > AGED_SECS ? `${age.toFixed(2)} s old${isSeen(step) ? "" : ", not drawn"}` : "");
      for (const { name: feature, fields } of sensor.features) {
        for (const field of fields) {
          const values = features[feature]?.[field.name];
          if (!values) continue;
          row.fields?.get(`${feature}.${field.name}`)?.show(values);
          for (const { key, value } of numbersOf(sensor, feature, field, values)) this.#traces.add(key, time, value);
        }
      }
    }
  }

  /** A picture is many numbers, and is looked at in the panel. @param {Sensor} sensor */
  #isDrawn(sensor) {
    return this.#drawn.get(sensor.id) ?? !isPicture(sensor);
  }

  /**
   * @param {Sensor} sensor
   * @param {boolean} isOpen
   */
  #row(sensor, isOpen) {
    const { id, model, features } = sensor;
    const values = make("div", { class: "values", id: `sensor-${id}`, hidden: true });
    /** @type {Row} */
    const row = { isOpen: false, fields: null, fault: make("p", { class: "error" }), note: make("span", { class: "quiet" }) };
    this.#rows.set(id, row);
    const toggle = () => {
      row.isOpen = !row.isOpen;
      opener.setAttribute("aria-expanded", String(row.isOpen));
      values.hidden = !row.isOpen;
      row.fields = null;
      values.replaceChildren();
      if (row.isOpen) {
        row.fields = new Map();
        for (const feature of features) values.append(this.#feature(sensor, feature, row.fields));
      }
      this.#changed();
    };
    const opener = button(id, toggle, { class: "opener", "aria-expanded": "false", "aria-controls": values.id });
    const draw = toggleSwitch(`Draw ${id}`, "", this.#isDrawn(sensor), (isOn) => {
      this.#drawn.set(id, isOn);
      this.#changed();
    });
    if (isOpen) toggle();
    return make("li", {}, make("div", { class: "row" }, opener, make("span", { class: "quiet what" }, model), row.note, draw), row.fault, values);
  }

  /**
   * @param {Sensor} sensor
   * @param {import("./layout.js").Feature} feature
   * @param {Map<string, Shown>} shown
   */
  #feature(sensor, feature, shown) {
    const list = make("dl", { class: "pairs" });
    const picture = pictureField(feature);
    for (const field of feature.fields) {
      const key = `${feature.name}.${field.name}`;
      if (field === picture) {
        const made = pictureOf(`${sensor.id} sees`, field);
        shown.set(key, made);
        list.append(make("div", { class: "wide" }, made.element));
        continue;
      }
      const rows = numbersOf(sensor, feature.name, field, new Float64Array(field.length)).map(({ key, label }) => {
        const value = liveValue(this.#traces, key, `${sensor.id} ${label}`, field.unit);
        list.append(make("div", {}, make("dt", {}, label), make("dd", {}, value.element)));
        return value;
      });
      /** @type {Numbers} */
      let last = new Float64Array(field.length);
      if (field.length > MOST_ROWS) {
        const open = () => showTable(`${sensor.id} ${field.name}`, field.shape, field.unit, () => last);
        list.append(make("div", {}, make("dt", {}, `${field.name}, all`),
          make("dd", {}, button("Table", open, { class: "table", "aria-label": `Table of ${sensor.id} ${field.name}` }))));
      }
      shown.set(key, {
        show: (values) => {
          last = values;
          numbersOf(sensor, feature.name, field, values).forEach(({ value }, at) => rows[at].show(value));
        },
        mark: () => rows.forEach(({ mark }) => mark()),
      });
    }
    return make("div", {}, make("h4", { class: "quiet" }, feature.name), list);
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * What is told of a field, each number under a key of its own.
 * @param {Sensor} sensor
 * @param {string} feature
 * @param {Field} field
 * @param {Numbers} values
 */
function numbersOf(sensor, feature, { name, shape }, values) {
  const key = `sensor.${sensor.id}.${feature}.${name}`;
  if (shape.length === 0) return [{ key, label: name, value: values[0] }];
  if (values.length <= MOST_ROWS) {
    return Array.from(values, (value, at) => ({ key: `${key}.${at}`, label: `${name} ${at}`, value }));
  }
  let [low, high] = [Infinity, -Infinity];
  for (let at = 0; at < values.length; at += 1) {
    if (!Number.isFinite(values[at])) continue;
    low = Math.min(low, values[at]);
    high = Math.max(high, values[at]);
  }
  const size = number(values.length);
  return [
    { key: `${key}.least`, label: `${name}, least of ${size}`, value: low },
    { key: `${key}.most`, label: `${name}, most of ${size}`, value: high > -Infinity ? high : Infinity },
  ];
}

/**
 * A picture as the robot has it, each pixel its own.
 * @param {string} label
 * @param {Field} field
 */
function pictureOf(label, { shape: [height, width] }) {
  const canvas = make("canvas", { class: "picture", role: "img", "aria-label": label });
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  const image = context?.createImageData(width, height);
  return {
    element: canvas,
    mark() {},
    /** @param {Numbers} pixels 0xRRGGBB */
    show(pixels) {
      if (!context || !image) return;
      for (let at = 0; at < pixels.length; at += 1) {
        image.data[4 * at] = pixels[at] >> 16;
        image.data[4 * at + 1] = (pixels[at] >> 8) & 255;
        image.data[4 * at + 2] = pixels[at] & 255;
        image.data[4 * at + 3] = 255;
      }
      context.putImageData(image, 0, 0);
    },
  };
}
