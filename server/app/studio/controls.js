// Buttons and keys.

import { toggleTheme } from "./palette.js";
import { element } from "./dom.js";

/** @type {import("./protocol.js").Speed[]} */
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, "max"];
/** How long the reset button waits for its second press. */
const SURE_MS = 3000;
const PAN_PX = 60;
const ZOOM = 1.25;

/**
 * @typedef {object} Parts
 * @property {import("./world.js").World} world
 * @property {import("./camera.js").Camera} camera
 * @property {import("./draw.js").Painter} painter
 * @property {HTMLCanvasElement} canvas
 * @property {import("./sections.js").Sections} sections
 * @property {(line: string) => void} send a line to the message board
 */

export class Controls {
  #parts;
  /** @type {HTMLButtonElement} */
  #pause = element("pause");
  /** @type {HTMLSelectElement} */
  #speed = element("speed");
  /** @type {HTMLButtonElement} */
  #reset = element("reset");
  /** @type {HTMLDialogElement} */
  #keys = element("keys");
  #sureTimer = 0;

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { camera, sections, send } = parts;
    /** @type {Record<string, () => void>} */
    const buttons = {
      pause: () => this.#togglePause(),
      single: () => send("STEP"),
      reset: () => this.#resetOnSecondPress(),
      fit: () => camera.fit(),
      names: () => this.#toggle("names"),
      trails: () => this.#toggle("trails"),
      thoughts: () => this.#toggle("thoughts"),
      sensors: () => this.#toggle("sensors"),
      panel: () => sections.toggle(),
      theme: toggleTheme,
      help: () => this.#keys.showModal(),
    };
    for (const [id, press] of Object.entries(buttons)) {
      element(id).addEventListener("click", (event) => {
        press();
        // After a click by mouse or finger the keys belong to the field again.
        if (event.detail > 0 && id !== "help") parts.canvas.focus({ preventScroll: true });
      });
    }
    this.#speed.addEventListener("change", () => {
      const { value } = this.#speed;
      this.#setSpeed(value === "max" || value === "lockstep" ? value : Number(value));
      parts.canvas.focus({ preventScroll: true });
    });
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {string} refused why nothing may be done here; empty if it may */
  allow(refused) {
    for (const id of ["pause", "single", "reset", "speed"]) {
      const control = /** @type {HTMLButtonElement | HTMLSelectElement} */ (element(id));
      control.disabled = refused !== "";
      control.dataset.title ??= control.title;
      control.title = refused || control.dataset.title;
    }
  }

  /** @param {import("./protocol.js").Status} status */
  showStatus({ paused, speed }) {
    this.#pause.classList.toggle("paused", paused);
    this.#pause.setAttribute("aria-label", paused ? "Resume" : "Pause");
    const value = String(speed);
    if (this.#speed.value === value) return;
    if (![...this.#speed.options].some((option) => option.value === value)) {
      this.#speed.add(new Option(typeof speed === "number" ? `${speed} ×` : speed, value));
    }
    this.#speed.value = value;
  }

  #togglePause() {
    this.#parts.send(this.#parts.world.status.paused ? "RESUME" : "PAUSE");
  }

  /** @param {import("./protocol.js").Speed} value */
  #setSpeed(value) {
    this.#parts.send(`SPEED ${value}`);
  }

  /** @param {1 | -1} direction */
  #changeSpeed(direction) {
    const now = this.#parts.world.status.speed;
    const order = (/** @type {import("./protocol.js").Speed} */ speed) => (typeof speed === "number" ? speed : Infinity);
    const next = direction > 0
      ? SPEEDS.find((speed) => order(speed) > order(now))
      : SPEEDS.findLast((speed) => order(speed) < order(now));
    if (next !== undefined) this.#setSpeed(next);
  }

  #resetOnSecondPress() {
    const isSure = this.#reset.classList.contains("armed");
    clearTimeout(this.#sureTimer);
    this.#reset.classList.toggle("armed", !isSure);
    if (isSure) this.#parts.send("RESET");
    else this.#sureTimer = window.setTimeout(() => this.#reset.classList.remove("armed"), SURE_MS);
  }

  /** @param {keyof import("./draw.js").Painter["options"]} option */
  #toggle(option) {
    const { options } = this.#parts.painter;
    options[option] = !options[option];
    element(option).setAttribute("aria-pressed", String(options[option]));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#keys.open) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target instanceof HTMLSelectElement || target instanceof HTMLInputElement) return;
    // A button that has the focus is pressed by these itself.
    if (target.closest("button, summary") && (event.key === " " || event.key === "Enter")) return;
    const { camera, sections, send } = this.#parts;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.#togglePause(),
      n: () => send("STEP"),
      ",": () => this.#changeSpeed(-1),
      ".": () => this.#changeSpeed(1),
      1: () => this.#setSpeed(1),
      m: () => this.#setSpeed("max"),
      R: () => send("RESET"),
      f: () => camera.fit(),
      "+": () => camera.zoom(ZOOM),
      "=": () => camera.zoom(ZOOM),
      "-": () => camera.zoom(1 / ZOOM),
      ArrowLeft: () => camera.pan(PAN_PX, 0),
      ArrowRight: () => camera.pan(-PAN_PX, 0),
      ArrowUp: () => camera.pan(0, PAN_PX),
      ArrowDown: () => camera.pan(0, -PAN_PX),
      l: () => this.#toggle("names"),
      t: () => this.#toggle("trails"),
      a: () => this.#toggle("thoughts"),
      i: () => this.#toggle("sensors"),
      c: toggleTheme,
      p: () => sections.toggle(),
      "?": () => this.#keys.showModal(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    // Holding a key moves the view on, but gives a command only once.
    if (!event.repeat || event.key.startsWith("Arrow") || "+=-n".includes(event.key)) act();
  }
}
