// Who is looked at: the next robot by a key, and a view that goes with the chosen one.

/**
 * @typedef {object} Parts
 * @property {import("./world.js").World} world
 * @property {import("./camera.js").Camera} camera
 * @property {import("./selection.js").Selection} selection
 * @property {HTMLElement} canvas
 */

/** It dispatches "change" when the view begins or ends to follow. */
export class Following extends EventTarget {
  #parts;
  #isOn = false;

  /** @param {Parts} parts */
  constructor(parts) {
    super();
    this.#parts = parts;
    const { canvas, selection } = parts;
    selection.addEventListener("change", () => {
      if (selection.id === null) this.set(false);
    });
    // From robot to robot, and after the last one on to the page's next control: nobody is held here.
    canvas.addEventListener("keydown", (event) => {
      if (event.key !== "Tab" || selection.id === null || event.ctrlKey || event.altKey || event.metaKey) return;
      const next = this.#beside(event.shiftKey ? -1 : 1);
      if (next === undefined) return;
      event.preventDefault();
      selection.select(next);
    });
  }

  /** Whether the view goes with the chosen robot. */
  get isOn() {
    return this.#isOn;
  }

  /** @param {boolean} isOn */
  set(isOn) {
    const next = isOn && this.#parts.selection.id !== null;
    if (next === this.#isOn) return;
    this.#isOn = next;
    this.dispatchEvent(new Event("change"));
  }

  /** Chooses the next robot, or the one before; after the last comes the first. @param {1 | -1} way */
  next(way) {
    const robots = this.#robots();
    const found = this.#beside(way) ?? (way > 0 ? robots[0] : robots.at(-1));
    if (found !== undefined) this.#parts.selection.select(found);
  }

  /** Moves the view; before each picture. */
  move() {
    if (!this.#isOn) return;
    const { world, camera, selection } = this.#parts;
    const pose = world.drawn.get(selection.id ?? -1);
    if (!pose) return;
    [camera.x, camera.y] = [pose.x, pose.y];
    camera.fitted = false;
  }

  #robots() {
    return [...this.#parts.world.objects.values()].filter(({ kind }) => kind === "robot").map(({ id }) => id).sort((a, b) => a - b);
  }

  /** @param {1 | -1} way @returns {number | undefined} */
  #beside(way) {
    const robots = this.#robots();
    const at = robots.indexOf(this.#parts.selection.id ?? -1);
    return at < 0 ? undefined : robots[at + way];
  }
}
