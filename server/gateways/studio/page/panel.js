// What is written around the field: score, clock, figures, events, notices.

import { element, swatch, write } from "./dom.js";

const MOST_EVENTS = 4;
const EVENT_MS = 6000;
const FAULT_MS = 30000;
/** So many of the referee's values stand in the head; the rest is a press away. */
const MOST_VALUES = 3;

export class Panel {
  #world = element("world");
  #score = element("score");
  #clock = element("clock");
  #phase = element("phase");
  #more = element("more-values");
  #moreCount = element("more-count");
  #moreList = element("more-list");
  /** The referee's values that were other than 0 since the page knows the world: what never is says nothing. @type {Set<string>} */
  #moved = new Set();
  #time = element("time");
  #step = element("step");
  #factor = element("factor");
  #events = element("events");
  #notice = element("notice");
  #replay = element("replay");
  #environment = element("environment");
  /** What is being played, if it has a name. @type {string | null} */
  #caption = null;
  /** @type {HTMLElement[]} */
  #goals = [];
  #noticeTimer = 0;
  /** What is said until it is taken away. */
  #standing = "";

  /** @param {import("./protocol.js").Hello} hello */
  showHello(hello) {
    document.title = `${hello.world} – Touchline`;
    write(this.#world, hello.world);
    this.#goals = [];
    this.#moved.clear();
    // What is played now has its name said anew, if it has one.
    this.#caption = null;
    const parts = hello.teams.map((team, index) => {
      const part = document.createElement("span");
      part.className = "team";
      const name = document.createElement("span");
      name.textContent = team.name;
      const goals = document.createElement("span");
      goals.className = "goals";
      goals.textContent = "0";
      this.#goals.push(goals);
      // Names outside, numbers inside, as on a board of two teams.
      const isLeft = hello.teams.length !== 2 || index === 0;
      part.append(...(isLeft ? [swatch(team.colour, index), name, goals] : [goals, name, swatch(team.colour, index)]));
      return part;
    });
    if (parts.length === 2) {
      const colon = document.createElement("span");
      colon.className = "colon";
      colon.textContent = ":";
      parts.splice(1, 0, colon);
    }
    this.#score.replaceChildren(...parts);
    // Where nobody counts there is nothing to show.
    for (const told of [this.#score, this.#clock, this.#phase]) told.hidden = hello.referee === null;
    this.#more.hidden = true;
  }

  /**
   * @param {import("./protocol.js").Game} game
   * @param {import("./protocol.js").Team[]} teams
   */
  showGame(game, teams) {
    this.#goals.forEach((goals, team) => write(goals, String(game.score[team] ?? 0)));
    const whose = teams[game.restart?.team ?? -1]?.name;
    const due = game.restart === null || game.restart.kind === game.phase ? "" : ` · ${game.restart.kind}`;
    for (const [name, value] of Object.entries(game.values)) if (value !== 0) this.#moved.add(name);
    const names = Object.keys(game.values);
    const shown = new Set(names.filter((name) => this.#moved.has(name)).slice(0, MOST_VALUES));
    const say = (/** @type {string} */ name) => `${name} ${game.values[name]}`;
    const said = names.filter((name) => shown.has(name)).map(say);
    const rest = names.filter((name) => !shown.has(name)).map(say);
    this.#more.hidden = rest.length === 0;
    write(this.#moreCount, `${rest.length} more`);
    // Who has opened it may be reading it: only what has changed is written.
    while (this.#moreList.childElementCount > rest.length) this.#moreList.lastElementChild?.remove();
    while (this.#moreList.childElementCount < rest.length) this.#moreList.append(document.createElement("li"));
    rest.forEach((text, at) => write(/** @type {HTMLElement} */ (this.#moreList.children[at]), text));
    write(this.#phase, [...said, `${game.phase}${due}${whose === undefined ? "" : ` ${whose}`}`].join(" · "));
  }

  /** @param {import("./protocol.js").Frame} frame */
  showFrame(frame) {
    write(this.#clock, minutes(frame.clock));
    write(this.#time, `${frame.time.toFixed(2)} s`);
    write(this.#step, String(frame.step));
  }

  /** Names what is being played; a status follows. @param {string | null} caption */
  call(caption) {
    this.#caption = caption;
  }

  /** @param {import("./protocol.js").Status} status */
  showStatus(status) {
    const { paused, speed, real_time_factor: factor, replay, episode } = status;
    this.#replay.hidden = !replay;
    this.#environment.hidden = episode === null;
    if (episode !== null) write(this.#environment, this.#caption ?? `Episode ${episode}`);
    write(this.#factor, paused ? "paused" : `× ${factor < 10 ? factor.toFixed(2) : factor.toFixed(0)}`);
    this.#factor.classList.toggle("behind", !paused && typeof speed === "number" && factor < 0.9 * Math.abs(speed));
  }

  /** @param {import("./protocol.js").Event} event */
  showEvent(event) {
    const item = document.createElement("li");
    item.className = event.kind;
    item.textContent = event.text;
    this.#events.append(item);
    while (this.#events.childElementCount > MOST_EVENTS) this.#events.firstElementChild?.remove();
    setTimeout(() => item.remove(), event.kind === "fault" ? FAULT_MS : EVENT_MS);
  }

  /** Another tick is shown: what was told of the last one is over. */
  clearEvents() {
    this.#events.replaceChildren();
  }

  /**
   * Shows a sentence over the field, for some time or until it is taken away.
   * @param {string} text
   * @param {number} [ms]
   * @param {boolean} [isGood] whether it is no trouble
   */
  showNotice(text, ms, isGood = false) {
    clearTimeout(this.#noticeTimer);
    if (!ms) this.#standing = text;
    this.#write(text, isGood);
    if (ms) this.#noticeTimer = window.setTimeout(() => this.#write(this.#standing, false), ms);
  }

  /** @param {string} text @param {boolean} isGood */
  #write(text, isGood) {
    write(this.#notice, text);
    this.#notice.classList.toggle("good", isGood);
    this.#notice.hidden = text === "";
  }
}

/**
 * Seconds as minutes and seconds.
 * @param {number} secs
 */
export function minutes(secs) {
  const whole = Math.floor(secs);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
