// Which drawings of robots' thoughts are left out: those of a robot, or those of a layer, which is a key of the annotations.

export class Layers {
  /** @type {Set<number>} */
  #robots = new Set();
  /** @type {Set<string>} */
  #keys = new Set();
  /** Counts up with every change. */
  version = 0;

  /** Another world is shown: its robots have the same numbers, and are others. */
  begin() {
    this.#robots.clear();
    this.version += 1;
  }

  /** @param {number} id */
  hasRobot(id) {
    return !this.#robots.has(id);
  }

  /** @param {string} key */
  hasKey(key) {
    return !this.#keys.has(key);
  }

  /** @param {number} id @param {boolean} isShown */
  setRobot(id, isShown) {
    if (isShown) this.#robots.delete(id);
    else this.#robots.add(id);
    this.version += 1;
  }

  /** @param {string} key @param {boolean} isShown */
  setKey(key, isShown) {
    if (isShown) this.#keys.delete(key);
    else this.#keys.add(key);
    this.version += 1;
  }

  /**
   * Those of a robot's annotations that are drawn.
   * @param {number} id
   * @param {Record<string, unknown>} values
   */
  shown(id, values) {
    if (this.#robots.has(id)) return {};
    return Object.fromEntries(Object.entries(values).filter(([key]) => !this.#keys.has(key)));
  }
}
