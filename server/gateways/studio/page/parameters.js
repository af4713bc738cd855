// A form made from a plugin's parameters, as `PLAYERS <plugin>` lists them. What is allowed is for the server to say: the form
// shows the range, and sends what was written.

import { field, make } from "./dom.js";
import { readWords } from "./words.js";

/**
 * @typedef {object} Parameter
 * @property {string} name
 * @property {string} kind in words, such as `a number`
 * @property {string[]} choices
 * @property {string} range in words; empty if there is none
 * @property {unknown} preset what it is when it is not given; undefined if nothing
 * @property {boolean} isNeeded
 * @property {string} meaning
 */

/**
 * Reads the lines of the answer.
 * @param {string[]} lines
 * @returns {Parameter[]}
 */
export function readParameters(lines) {
  return lines.map((line) => {
    const { words: [name, meaning], fields } = readWords(line);
    const { min, max } = fields;
    const both = min !== undefined && max !== undefined;
    return {
      name,
      kind: fields.kind ?? "",
      choices: fields.choices?.split(",") ?? [],
      range: both ? `${min} to ${max}` : min !== undefined ? `at least ${min}` : max !== undefined ? `at most ${max}` : "",
      preset: fields.default === undefined ? undefined : JSON.parse(fields.default),
      isNeeded: fields.needed === "1",
      meaning: meaning ?? "",
    };
  });
}

export class ParameterForm {
  /** @type {{ parameter: Parameter, control: HTMLInputElement | HTMLSelectElement }[]} */
  #fields = [];
  element = make("div", { class: "parameters" });

  /** @param {Parameter[]} parameters */
  show(parameters) {
    this.#fields = parameters.map((parameter) => ({ parameter, control: control(parameter) }));
    this.element.replaceChildren(...this.#fields.map(({ parameter, control }) => {
      const { name, kind, range, isNeeded, meaning } = parameter;
      const what = control instanceof HTMLSelectElement ? "" : [kind, range].filter(Boolean).join(", ");
      return field(isNeeded ? `${name} (needed)` : name, control, [what, meaning].filter(Boolean).join(". "));
    }));
  }

  /** What is other than the plugin's own defaults. @returns {Record<string, unknown>} */
  values() {
    /** @type {Record<string, unknown>} */
    const values = {};
    for (const { parameter, control } of this.#fields) {
      const text = control.value.trim();
      if (text === "") continue;
      const value = parse(text, parameter);
      if (JSON.stringify(value) !== JSON.stringify(parameter.preset)) values[parameter.name] = value;
    }
    return values;
  }
}

/** @param {Parameter} parameter */
function control({ name, kind, choices, preset, isNeeded }) {
  const id = `parameter-${name}`;
  const words = kind === "true or false" ? ["true", "false"] : choices;
  if (words.length === 0) {
    const placeholder = preset === undefined ? "" : typeof preset === "string" ? preset : JSON.stringify(preset);
    const inputmode = kind.includes("number") || kind.includes("integer") ? "decimal" : "text";
    return make("input", { id, type: "text", inputmode, placeholder, autocomplete: "off", spellcheck: "false" });
  }
  const select = make("select", { id }, ...words.map((word) => new Option(word)));
  if (preset !== undefined) select.value = String(preset);
  else if (!isNeeded) {
    select.prepend(new Option("not given", ""));
    select.value = "";
  }
  return select;
}

/**
 * What was written, as JSON; what makes no sense goes as a text, and the server says what it wants.
 * @param {string} text
 * @param {Parameter} parameter
 * @returns {unknown}
 */
function parse(text, { kind, choices }) {
  if (choices.length > 0 || kind === "a string") return text;
  try {
    return JSON.parse(text.replace(/^\+/, ""));
  } catch {
    return text;
  }
}
