// The form of a challenge's parameters: grey is what its file says, and what is written holds instead. What is allowed is for the program to say.

import { field, make } from "./dom.js";

/**
 * @typedef {{ name: string, is_referees: boolean, value: number, min: number | null, max: number | null, is_whole: boolean, meaning: string }} Setting
 *   `value` as the file says
 * @typedef {{ seed?: number | null, attempts?: number | null, max_s?: number | null, referee?: Record<string, number> }} Changes
 */

export class ConditionsForm {
  /** @type {{ setting: Setting, control: HTMLInputElement }[]} */
  #fields = [];
  element = make("div", { class: "conditions" });

  /** @param {Setting[]} settings @param {Changes} changes */
  show(settings, changes) {
    this.#fields = settings.map((setting) => ({ setting, control: control(setting, changes) }));
    this.element.replaceChildren(...this.#fields.map(({ setting, control: input }) => field(setting.name, input, about(setting))));
  }

  /**
   * What is other than in the file.
   * @returns {Changes}
   * @throws {Error} in words, if something is no number
   */
  changes() {
    /** @type {Record<string, number>} */
    const own = {};
    /** @type {Record<string, number>} */
    const referee = {};
    for (const { setting: { name, is_referees: isReferees, value }, control: input } of this.#fields) {
      const text = input.value.trim();
      if (text === "") continue;
      const number = Number(text);
      if (!Number.isFinite(number)) throw new Error(`${name}: a number is wanted, not "${text}"`);
      if (number !== value) (isReferees ? referee : own)[name] = number;
    }
    return { ...own, referee };
  }
}

/** @param {Setting} setting @param {Changes} changes */
function control({ name, is_referees: isReferees, value }, changes) {
  const own = /** @type {Record<string, unknown>} */ (changes);
  const changed = isReferees ? changes.referee?.[name] : own[name];
  const input = make("input", { id: `setting-${name}`, type: "text", inputmode: "decimal", placeholder: String(value), autocomplete: "off" });
  input.value = changed === undefined || changed === null ? "" : String(changed);
  return input;
}

/** Range and meaning. @param {Setting} setting */
function about({ min, max, meaning }) {
  const from = min === null ? "" : `from ${min}`;
  const to = max === null || max > 1e12 ? "" : `up to ${max}`;
  return [[from, to].filter(Boolean).join(" "), meaning].filter(Boolean).join(". ");
}
