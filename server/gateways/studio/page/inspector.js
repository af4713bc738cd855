// The section about the chosen robot. It decides what is asked of the board: only what is seen.

import { enlarge } from "./bigplot.js";
import { button, make, write } from "./dom.js";
import { part, toggleSwitch } from "./inspect.js";
import { MOST_PUSHES } from "./sensing.js";
import { kindOf } from "./sensorshapes.js";
import { MotionView } from "./motionview.js";
import { Plot } from "./plot.js";
import { PoseView } from "./pose.js";
import { Radio } from "./radio.js";
import { SensorView } from "./sensorview.js";
import { ShadowView } from "./shadow.js";
import { Thoughts } from "./thoughts.js";
import { Traces } from "./traces.js";

/**
 * @typedef {object} Parts
 * @property {import("./board.js").Board} board
 * @property {import("./world.js").World} world
 * @property {import("./draw.js").Painter} painter
 * @property {import("./selection.js").Selection} selection
 * @property {import("./sensing.js").Sensing} sensing
 * @property {import("./sensorlayer.js").SensorLayer} layer
 * @property {import("./layers.js").Layers} layers
 */

/** How often the chosen robot's sensors are pushed, and values are brought up to date, ms. */
const PERIOD_MS = 50;
const LASERS_PERIOD_MS = 100;
const TICK_MS = 100;
/** Radio is asked for with every so manyth tick. */
const RADIO_TICKS = 5;

export class Inspector {
  #parts;
  /** The chosen values; for tests as well. */
  traces = new Traces();
  #name = make("p", { class: "quiet", role: "status" });
  /** Why the chosen robot's sensors cannot be shown. */
  #why = make("p", { class: "quiet", role: "status", hidden: true });
  #lasers;
  #left = make("p", { class: "quiet", role: "status", hidden: true }, `There are too many: those of the first ${MOST_PUSHES} robots are drawn.`);
  #pose;
  #motion;
  #sensors = new SensorView(this.traces);
  #radio;
  #thoughts;
  /** The player that runs beside the recorded one; whoever can go to a tick listens to it. */
  shadow = new ShadowView();
  #plots = make("div", { class: "plots" });
  /** @type {Map<string, Plot>} By unit. */
  #plotOf = new Map();
  #hint = make("p", { class: "quiet" }, "Press a value to plot it over time.");
  #body;
  #motionPart;
  #radioPart;
  #shadowPart = part("Shadow player", true, this.shadow.element);
  /** Whether there is a difference to go to. */
  hasDifference = (/** @type {string} */ _robot) => false;
  #thoughtsPart;
  element;
  #hasLasers = false;
  /** @type {number | null} The robot whose description is shown. */
  #described = null;
  /** The robot whose name is shown. @type {number | null} */
  #named = null;
  #wishKey = "";
  #ticks = 0;
  /** Whether the referee pays robots. */
  #pays = false;

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { board, world, selection, sensing, layers } = parts;
    this.#pose = new PoseView(this.traces, world, board);
    this.traces.isNow = (time) => world.looking === null && time >= world.nowSince;
    this.traces.earlier = (key) => {
      if (selection.id === null) return [];
      return key.startsWith("game.") ? this.#gameBefore(key.slice(5), selection.id) : this.#pose.known(key, selection.id);
    };
    this.#motion = new MotionView(board, this.traces);
    this.#radio = new Radio(board, world);
    this.#thoughts = new Thoughts(layers);
    this.#motionPart = part("Motion", true, this.#motion.element);
    this.#radioPart = part("Radio", false, this.#radio.element);
    this.#thoughtsPart = part("Annotations", false, this.#thoughts.element);
    this.#shadowPart.hidden = true;
    this.#body = make("div", { hidden: true }, part("Place", true, this.#pose.element), this.#motionPart, this.#shadowPart, part("Sensors", true, this.#sensors.element),
      part("Plots", true, this.#hint, this.#plots), this.#thoughtsPart, this.#radioPart);
    this.#lasers = toggleSwitch("All robots' lasers", "All robots' lasers", false, (isOn) => {
      this.#hasLasers = isOn;
      this.#settle();
    });
    this.element = make("div", { class: "inspector" }, this.#name, this.#why, this.#lasers, this.#left, this.#body);
    selection.addEventListener("change", () => this.#begin());
    this.#sensors.addEventListener("change", () => {
      this.#settle();
      // What is drawn was said already, and while time stands it is not said again.
      this.#showReadings();
    });
    this.traces.addEventListener("change", () => this.#arrangePlots());
    sensing.addEventListener("described", () => {
      this.#showDescription();
      this.#settle();
    });
    sensing.addEventListener("reading", (event) => {
      if (/** @type {CustomEvent<number>} */ (event).detail === selection.id) this.#showReadings();
    });
    window.setInterval(() => this.#tick(), TICK_MS);
    this.#begin();
  }

  /** A connection was made: robots and referee may be others than before. */
  reconnect() {
    this.#parts.sensing.begin();
    this.#pose.begin();
    this.#pays = false;
    this.#wishKey = "";
    this.#begin();
  }

  /** Robots came or went. */
  update() {
    const { selection, sensing, world } = this.#parts;
    for (const id of sensing.known) if (!world.objects.has(id)) sensing.forget(id);
    // After a connection was made anew, the chosen one comes by and by.
    if (selection.id !== null && this.#named !== selection.id && world.objects.has(selection.id)) this.#begin();
    else this.#settle();
  }

  #begin() {
    const { selection, world } = this.#parts;
    const robot = world.objects.get(selection.id ?? -1);
    this.traces.clear();
    this.#described = null;
    this.#named = robot?.id ?? null;
    this.#body.hidden = true;
    write(this.#name, robot ? [robot.name, robot.model, robot.player].filter(Boolean).join(", ") : "Click a robot to see what it does, senses and thinks.");
    if (robot) {
      this.#radio.begin(robot.id);
      this.#thoughts.begin(robot.id, robot.name);
    }
    this.#showDescription();
    this.#settle();
  }

  #showReadings() {
    const { sensing, selection, world } = this.#parts;
    const { id } = selection;
    if (id === null) return;
    const isSeen = (/** @type {number} */ step) => step >= (world.newest?.step ?? 0) || world.poseAtStep(id, step) !== null;
    this.#sensors.show(sensing.readings(id), sensing.pending(id), isSeen);
  }

  #showDescription() {
    const { sensing, selection } = this.#parts;
    const isDescribed = selection.id === null || this.#described === selection.id;
    const description = isDescribed ? null : sensing.description(selection.id ?? -1);
    this.#lasers.hidden = sensing.forbidden !== "";
    write(this.#why, isDescribed || description ? "" : sensing.refusal(selection.id ?? -1));
    this.#why.hidden = this.#why.textContent === "";
    if (selection.id === null || !description) return;
    this.#described = selection.id;
    this.#motion.begin(selection.id, description);
    this.#sensors.begin(description.sensors);
    this.#body.hidden = false;
  }

  /** Brings what is asked of the board to what is seen. */
  #settle() {
    const { layer, painter, selection, sensing, world } = this.#parts;
    /** @type {Map<number, string[]>} */
    const drawn = new Map();
    /** @type {Map<number, import("./sensing.js").Wish>} */
    const lasers = new Map();
    if (this.#hasLasers && painter.options.sensors && !sensing.forbidden) {
      for (const { id, kind } of world.objects.values()) {
        if (kind !== "robot") continue;
        const known = sensing.description(id)?.sensors ?? [];
        const ids = known.filter(isLaser).map((sensor) => sensor.id);
        if (ids.length === 0) continue;
        lasers.set(id, { periodMs: LASERS_PERIOD_MS, ids });
        drawn.set(id, ids);
      }
    }
    /** @type {Map<number, import("./sensing.js").Wish>} */
    const chosen = new Map();
    if (selection.id !== null && this.#described === selection.id) {
      const shown = painter.options.sensors ? this.#sensors.drawn : [];
      const read = this.#body.checkVisibility() ? this.#sensors.read : [];
      chosen.set(selection.id, { periodMs: PERIOD_MS, ids: [...new Set([...shown, ...read])] });
      drawn.set(selection.id, [...new Set([...shown, ...drawn.get(selection.id) ?? []])]);
    }
    this.#left.hidden = sensing.left === 0;
    const key = JSON.stringify([[...lasers], [...chosen], [...drawn]]);
    if (key === this.#wishKey) return;
    this.#wishKey = key;
    layer.show(drawn);
    // Where there are too many for both, the chosen one is what is read.
    sensing.look("chosen", chosen);
    sensing.look("lasers", lasers);
  }

  /** What the referee says in numbers, and what it has paid a robot, once somebody was paid. @param {number} id */
  #gameValues(id, { values, rewards } = this.#parts.world.game) {
    this.#pays ||= rewards !== undefined;
    return this.#pays ? { ...values, reward: rewards?.[id] ?? 0 } : values;
  }

  /**
   * The same of the frames that are known, as [time, value].
   * @param {string} name
   * @param {number} id
   */
  #gameBefore(name, id) {
    const { history, gameAt } = this.#parts.world;
    /** @type {[number, number][]} */
    const known = [];
    for (const frame of history.frames) {
      const game = gameAt.get(frame);
      if (game && frame.poses.has(id)) known.push([frame.time, this.#gameValues(id, game)[name] ?? NaN]);
    }
    return known;
  }

  #tick() {
    // The panel and the switch of all sensors may have been changed by others.
    this.#settle();
    const { selection, world } = this.#parts;
    // Before the first frame that follows a look at the past nobody knows of which run now is.
    if (world.newest && world.looking === null && world.nowSince < Infinity) this.traces.begin(world.newest.run);
    if (document.hidden || selection.id === null || this.#described !== selection.id || !this.#body.checkVisibility()) return;
    this.#ticks += 1;
    // What was told with this frame: of the next one the game may be known already.
    if (world.newest) this.#pose.show(selection.id, world.newest, this.#gameValues(selection.id, world.gameAt.get(world.newest)));
    const isPlotted = this.traces.all.some(({ key }) => key.startsWith("motion."));
    if (this.#motionPart.open || isPlotted) void this.#motion.ask();
    if (this.#radioPart.open && this.#ticks % RADIO_TICKS === 0) void this.#radio.ask();
    const shadow = world.shadows.get(selection.id);
    this.#shadowPart.hidden = !shadow;
    this.shadow.show(shadow, this.hasDifference(world.objects.get(selection.id)?.name ?? ""));
    if (this.#thoughtsPart.open) this.#thoughts.show(world.annotations.get(selection.id));
    const all = this.traces.all;
    for (const [unit, plot] of this.#plotOf) {
      plot.at = this.#past;
      plot.show(all.filter((trace) => trace.unit === unit));
    }
  }

  /** @param {string} unit */
  #enlarge(unit) {
    const { world, selection } = this.#parts;
    const title = [world.objects.get(selection.id ?? -1)?.name, world.hello?.world].filter(Boolean).join(" in ");
    enlarge(unit, title, () => this.traces.all.filter((trace) => trace.unit === unit), () => this.#past);
  }

  /** The tick of the past that is looked at, simulated seconds; null if that is now. */
  get #past() {
    const { looking, newest } = this.#parts.world;
    return looking === null ? null : newest?.time ?? null;
  }

  /** One plot for each unit, with a legend by which each value is taken off it. */
  #arrangePlots() {
    const all = this.traces.all;
    const units = new Set(all.map(({ unit }) => unit));
    this.#hint.hidden = all.length > 0;
    for (const unit of this.#plotOf.keys()) if (!units.has(unit)) this.#plotOf.delete(unit);
    for (const unit of units) if (!this.#plotOf.has(unit)) this.#plotOf.set(unit, new Plot(unit));
    this.#plots.replaceChildren(...[...this.#plotOf].flatMap(([unit, plot]) => {
      const entries = all.filter((trace) => trace.unit === unit).map(({ key, label, colour }) => {
        const entry = make("button", { type: "button", class: "entry", title: "Take off the plot" }, label);
        entry.style.setProperty("--trace", colour);
        entry.addEventListener("click", () => this.traces.toggle(key, label, unit));
        return entry;
      });
      const larger = button("Larger", () => this.#enlarge(unit),
        { class: "larger", "aria-label": `Larger plot${unit && unit !== "1" ? ` of ${unit}` : ""}`, title: "Larger, over a longer time, as PNG or CSV" });
      return [make("div", { class: "legend" }, ...entries, larger), plot.element];
    }));
    this.#settle();
  }
}

/** Whether a sensor is a range finder with a fan. @param {import("./layout.js").Sensor} sensor */
function isLaser(sensor) {
  return sensor.features.some(({ fields }) => kindOf(Object.fromEntries(fields.map(({ name }) => [name, [0]]))) === "fan");
}
