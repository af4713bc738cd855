// The section in which a person takes a robot over: which one, how fast, by what; and a pad for fingers.

import { button, field, make, write } from "./dom.js";
import { readGamepad } from "./gamepad.js";

/**
 * @typedef {object} Parts
 * @property {import("./world.js").World} world
 * @property {import("./drive.js").Drive} drive
 * @property {import("./selection.js").Selection} selection
 */

/** How often it is looked whether a gamepad is there, ms. */
const LOOK_MS = 1000;

/** @type {[string, string, import("./keyboard.js").Axis, 1 | -1][]} sign, name, and what it wants */
const PAD = [
  ["↺", "Turn left", "turn", 1], ["↑", "Forward", "forward", 1], ["↻", "Turn right", "turn", -1],
  ["←", "To the left", "left", 1], ["↓", "Back", "forward", -1], ["→", "To the right", "left", -1],
];

/**
 * What can be done with it, by which keys.
 * @param {import("./drive.js").Robot} robot
 */
function keys({ limits, kick }) {
  const sideways = limits.left ? ", Q E sideways" : "";
  return `W A S D or arrows${sideways}${kick ? ", Space kicks" : ""}, Esc gives it back.`;
}

export class Cockpit {
  #parts;
  #choice = make("select", { id: "drive-robot" });
  #toggle = button("Drive", () => this.#press(), { id: "drive-toggle", class: "main" });
  #who = make("span");
  #keys = make("span", { class: "keys" });
  #state = make("p", { class: "state", role: "status" }, this.#who, this.#keys);
  #gamepad = make("p", { class: "quiet" });
  #pad = make("div", { class: "pad", role: "group", "aria-label": "Pad" });
  #body;

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { drive, selection } = parts;
    const speed = make("input", { id: "drive-speed", type: "range", min: "10", max: "100", step: "5", value: String(100 * drive.speed) });
    speed.addEventListener("input", () => {
      drive.speed = Number(speed.value) / 100;
      drive.flush();
    });
    this.#choice.addEventListener("change", () => selection.select(Number(this.#choice.value)));
    selection.addEventListener("change", () => this.update());
    drive.addEventListener("change", () => {
      this.update();
      // The pad for fingers has to be in sight.
      if (drive.robot && matchMedia("(pointer: coarse)").matches) this.element.scrollIntoView({ block: "start" });
    });
    setInterval(() => this.#lookForGamepad(), LOOK_MS);
    this.#fillPad();
    this.#body = make("fieldset", {},
      make("div", { class: "row" }, field("Robot", this.#choice), this.#toggle),
      this.#state, this.#pad, field("Top speed", speed, "As a part of the robot's own."));
    this.element = make("div", {}, this.#body, this.#gamepad);
  }

  /** @param {string} refused why nothing may be done here; empty if it may */
  allow(refused) {
    this.#body.disabled = refused !== "";
    this.#body.title = refused;
  }

  /** Shows the robots that there are, and the one that is driven. */
  update() {
    const { world, drive, selection } = this.#parts;
    const robots = [...world.objects.values()].filter(({ kind }) => kind === "robot");
    const known = [...this.#choice.options].map(({ value, text }) => `${value} ${text}`).join();
    if (known !== robots.map(({ id, name }) => `${id} ${name}`).join()) {
      this.#choice.replaceChildren(...robots.map(({ id, name }) => new Option(name, String(id))));
    }
    const { robot } = drive;
    const shown = robot?.id ?? selection.id;
    if (shown !== null && robots.some(({ id }) => id === shown)) this.#choice.value = String(shown);
    this.#choice.disabled = robot !== null;
    write(this.#toggle, robot ? "Give back" : "Drive");
    this.#pad.hidden = robot === null;
    for (const [at, [, , axis]] of PAD.entries()) {
      const key = /** @type {HTMLButtonElement} */ (this.#pad.children[at]);
      key.disabled = robot?.limits[axis] === undefined;
    }
    write(this.#who, robot ? `You drive ${robot.name}.` : drive.reason);
    write(this.#keys, robot ? ` ${keys(robot)}` : "");
    this.#state.hidden = !this.#who.textContent;
  }

  #press() {
    const { drive } = this.#parts;
    if (drive.robot) drive.stop();
    else if (this.#choice.value !== "") void drive.start(Number(this.#choice.value));
  }

  #lookForGamepad() {
    const pad = readGamepad();
    write(this.#gamepad, pad ? `Gamepad: ${pad.name}` : "");
  }

  #fillPad() {
    const { drive } = this.#parts;
    for (const [sign, name, axis, way] of PAD) {
      const key = make("button", { type: "button", "aria-label": name }, sign);
      const want = (/** @type {number} */ value) => {
        drive.touch[axis] = value;
        drive.flush();
      };
      key.addEventListener("pointerdown", (event) => {
        key.setPointerCapture(event.pointerId);
        want(way);
      });
      for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) key.addEventListener(type, () => want(0));
      key.addEventListener("contextmenu", (event) => event.preventDefault());
      this.#pad.append(key);
    }
    this.#pad.append(button("Kick", () => drive.kick(), { class: "kick" }));
  }
}
