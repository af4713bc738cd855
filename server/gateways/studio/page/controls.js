// Buttons and keys.

import { toggleTheme } from "./palette.js";
import { nextSize } from "./size.js";
import { element } from "./dom.js";
import { untilElsewhere } from "./sure.js";

/** @type {import("./protocol.js").Speed[]} */
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, "max"];
/** A recording runs backwards too. @type {import("./protocol.js").Speed[]} */
const REPLAY_SPEEDS = [-8, -4, -2, -1, -0.5, -0.25, ...SPEEDS];
const PAN_PX = 60;
const ZOOM = 1.25;

/**
 * @typedef {object} Parts
 * @property {import("./world.js").World} world
 * @property {import("./camera.js").Camera} camera
 * @property {import("./draw.js").Painter} painter
 * @property {HTMLCanvasElement} canvas
 * @property {import("./sections.js").Sections} sections
 * @property {import("./playhead.js").Playhead} playhead
 * @property {import("./timeline.js").Timeline} timeline
 * @property {import("./recording.js").Recording} recording
 * @property {import("./viewing.js").Viewing} viewing
 * @property {import("./following.js").Following} following
 * @property {import("./selection.js").Selection} selection
 * @property {(text: string) => void} refused told why a key does nothing
 * @property {(text: string) => void} noted told what a key has done, where that is not seen at once
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
  #endQuestion = () => {};
  /** Why these may not be used; empty if they may. */
  #refused = { time: "", change: "", look: "" };

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { camera, sections } = parts;
    /** @type {Record<string, () => void>} */
    const buttons = {
      pause: () => this.#togglePause(),
      back: () => this.#step(-1),
      single: () => this.#step(1),
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

  /**
   * @param {string} refused why time may not be changed here; empty if it may
   * @param {string} changeRefused why the world may not
   * @param {string} lookRefused why the past cannot be looked at
   */
  allow(refused, changeRefused, lookRefused) {
    this.#refused = { time: refused, change: changeRefused, look: lookRefused };
    for (const id of ["back", "pause", "single", "speed", "reset"]) {
      const control = /** @type {HTMLButtonElement | HTMLSelectElement} */ (element(id));
      const reason = { reset: changeRefused, back: lookRefused }[id] ?? refused;
      control.disabled = reason !== "";
      control.dataset.title ??= control.title;
      control.title = reason || control.dataset.title;
    }
  }

  /** @param {import("./protocol.js").Status} status */
  showStatus({ paused, speed, replay }) {
    const isBackwards = this.#speed.options[0].value.startsWith("-");
    if (replay && !isBackwards) {
      const backwards = REPLAY_SPEEDS.filter((factor) => typeof factor === "number" && factor < 0);
      this.#speed.prepend(...backwards.map((factor) => new Option(`− ${String(factor).slice(1)} ×`, String(factor))));
    }
    // What was opened in place of a recording runs forwards only.
    if (!replay && isBackwards) for (const option of [...this.#speed.options]) if (option.value.startsWith("-")) option.remove();
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
    if (!this.#may("time")) return;
    this.#parts.playhead.leaveEnd();
    this.#parts.send(this.#parts.world.status.paused ? "RESUME" : "PAUSE");
  }

  /** Whether something may be used; says otherwise why not. @param {"time" | "change" | "look"} what */
  #may(what) {
    const why = this.#refused[what];
    if (why) this.#parts.refused(why);
    return why === "";
  }

  /** @param {1 | -1} way */
  #step(way) {
    if (this.#may(way > 0 ? "time" : "look")) this.#parts.playhead.step(way);
  }

  /** @param {import("./protocol.js").Speed} value */
  #setSpeed(value) {
    if (!this.#may("time")) return;
    this.#parts.send(`SPEED ${value}`);
  }

  /** @param {1 | -1} direction */
  #changeSpeed(direction) {
    const { speed: now, replay } = this.#parts.world.status;
    const speeds = replay ? REPLAY_SPEEDS : SPEEDS;
    const order = (/** @type {import("./protocol.js").Speed} */ speed) => (typeof speed === "number" ? speed : Infinity);
    const next = direction > 0
      ? speeds.find((speed) => order(speed) > order(now))
      : speeds.findLast((speed) => order(speed) < order(now));
    if (next !== undefined) this.#setSpeed(next);
  }

  #resetOnSecondPress() {
    if (!this.#may("change")) return;
    const isSure = this.#reset.classList.contains("armed");
    this.#endQuestion();
    this.#reset.classList.toggle("armed", !isSure);
    if (isSure) this.#parts.send("RESET");
    else this.#endQuestion = untilElsewhere(this.#reset, ["Shift", "R"], () => this.#reset.classList.remove("armed"));
  }

  /** What is drawn was changed by somebody else. */
  showOptions() {
    for (const [name, isOn] of Object.entries(this.#parts.painter.options)) {
      document.getElementById(name)?.setAttribute("aria-pressed", String(isOn));
    }
    this.#parts.viewing.show();
  }

  /** @param {keyof import("./draw.js").Painter["options"]} option */
  #toggle(option) {
    const { options } = this.#parts.painter;
    options[option] = !options[option];
    element(option).setAttribute("aria-pressed", String(options[option]));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    // A window that is open has all keys for itself.
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target instanceof HTMLSelectElement || target instanceof HTMLInputElement) return;
    // A button that has the focus is pressed by these itself.
    if (target.closest("button, summary") && (event.key === " " || event.key === "Enter")) return;
    const { camera, sections, playhead, timeline, recording, viewing, following, selection, noted } = this.#parts;
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.#togglePause(),
      n: () => this.#step(1),
      N: () => this.#step(-1),
      b: () => this.#step(-1),
      "[": () => timeline.toBookmark(-1),
      "]": () => timeline.toBookmark(1),
      Escape: () => (playhead.isLooking ? playhead.toNow() : selection.select(null)),
      v: () => recording.toggle(),
      s: () => recording.save(),
      ",": () => this.#changeSpeed(-1),
      ".": () => this.#changeSpeed(1),
      1: () => this.#setSpeed(1),
      m: () => this.#setSpeed("max"),
      R: () => this.#resetOnSecondPress(),
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
      g: () => viewing.grid(),
      d: () => viewing.ruler(),
      o: () => viewing.follow(),
      j: () => following.next(1),
      k: () => following.next(-1),
      z: () => noted(`The writing is ${nextSize()} times its plain size.`),
      "?": () => this.#keys.showModal(),
    };
    const act = keys[event.key];
    if (!act) return;
    // A list that is scrolled by the arrows has them for itself.
    if (event.key.startsWith("Arrow") && target !== this.#parts.canvas && target.closest('[tabindex="0"]')) return;
    event.preventDefault();
    // Holding a key moves the view on, but gives a command only once.
    if (!event.repeat || event.key.startsWith("Arrow") || "+=-nNb".includes(event.key)) act();
  }
}
