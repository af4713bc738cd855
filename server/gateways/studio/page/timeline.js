// The bar under the field: all ticks that can be seen, what happened when, and the playhead.

import { button, element, make, write } from "./dom.js";
import { KINDS } from "./happenings.js";
import { sureButton } from "./sure.js";

/**
 * @typedef {import("./happenings.js").Happening} Happening
 *
 * @typedef {object} Parts
 * @property {import("./world.js").World} world
 * @property {import("./playhead.js").Playhead} playhead
 * @property {import("./happenings.js").Happenings} happenings
 */

const SPACE = "http://www.w3.org/2000/svg";
const STORED = "touchline-timeline";
/** The bookmarks' picture is so wide and high, in units of its own. */
const [WIDTH, HEIGHT] = [1000, 40];
/** From where to where a bookmark goes: who is many stands below, and is small. @type {Record<string, [number, number]>} */
const HEIGHTS = {
  difference: [0, 40], goal: [0, 40], fault: [0, 40], fork: [0, 40], announcement: [6, 34], robot: [10, 34], contact: [28, 40],
  message: [32, 40],
};
/** A bookmark this near to the pointer is told, pixels. */
const NEAR_PX = 6;
/** Bookmarks of one kind stand at least so far apart, units. */
const APART = 2;
/** What the keys move by, seconds. */
const [KEY_SECS, FINE_SECS, PAGE_SECS] = [1, 0.1, 10];

export class Timeline {
  #parts;
  #track = make("div", { id: "track", role: "slider", tabindex: "0", "aria-label": "Tick", "aria-orientation": "horizontal" });
  #bookmarks = document.createElementNS(SPACE, "svg");
  /** @type {Map<string, SVGPathElement>} */
  #paths = new Map();
  #head = make("div", { class: "head" });
  #tip = make("div", { class: "tip", hidden: true });
  #at = make("output", { id: "tick", title: "The tick that is shown" });
  #end = make("span", { id: "ticks-end", class: "quiet", title: "The last tick" });
  #banner = element("banner");
  #ago = make("span", { class: "ago" });
  #continue;
  #back;
  /** @type {HTMLButtonElement[]} Those that go from bookmark to bookmark. */
  #steps;
  /** Why no other tick can be shown; empty if it can. */
  #refused = "";
  #filter = make("div", { id: "kinds", class: "kinds", role: "group", "aria-label": "Bookmarks that are shown", hidden: true });
  /** @type {Set<string>} The kinds that are not shown. */
  #off = readOff();
  /** The tick at the pointer that holds the playhead. @type {number | null} */
  #held = null;
  #drawn = "";
  #version = 0;

  /**
   * @param {HTMLElement} bar what it stands in
   * @param {Parts} parts
   */
  constructor(bar, parts) {
    this.#parts = parts;
    const { playhead, happenings } = parts;
    this.#bookmarks.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.#bookmarks.setAttribute("preserveAspectRatio", "none");
    this.#bookmarks.setAttribute("aria-hidden", "true");
    // What is many lies below the rest.
    for (const [kind] of KINDS.toReversed()) {
      const path = document.createElementNS(SPACE, "path");
      path.setAttribute("class", kind);
      this.#paths.set(kind, path);
      this.#bookmarks.append(path);
    }
    this.#track.append(make("div", { class: "rail" }), this.#bookmarks, this.#head, this.#tip);
    const last = icon("M9 6v12l-6-6zM12 4h2v16h-2zM14 5h7l-2 3 2 3h-7z", "last-bookmark", "Last bookmark ([)", "Last bookmark", "[", () => this.toBookmark(-1));
    const next = icon("M15 6v12l6-6zM3 4h2v16H3zM5 5h7l-2 3 2 3H5z", "next-bookmark", "Next bookmark (])", "Next bookmark", "]", () => this.toBookmark(1));
    const choose = icon("M3 5h18l-7 8v6l-4-2v-4z", "choose-bookmarks", "Which bookmarks are shown", "Bookmarks", "", () => {
      this.#filter.hidden = !this.#filter.hidden;
      choose.setAttribute("aria-expanded", String(!this.#filter.hidden));
    });
    choose.setAttribute("aria-expanded", "false");
    choose.setAttribute("aria-controls", "kinds");
    this.#filter.append(...KINDS.map(([kind, name]) => this.#switch(kind, name)));
    this.#steps = [last, next];
    bar.append(this.#at, this.#track, this.#end, make("div", { class: "group" }, last, next, choose), this.#filter);

    this.#continue = sureButton("Continue from here", () => void playhead.continueHere(), { id: "continue" }).element;
    this.#back = button("Back to now", () => playhead.toNow(), { id: "back-to-now", title: "Back to now (Escape)", class: "main", "aria-keyshortcuts": "Escape" });
    this.#banner.append(this.#ago, this.#back, this.#continue);
    // After a click by mouse or finger the keys belong to the field again.
    for (const part of [bar, this.#banner]) {
      part.addEventListener("click", ({ detail, target }) => {
        if (detail > 0 && target instanceof Element && target.closest("button")) element("field").focus({ preventScroll: true });
      });
    }
    this.#hold();
    this.#track.addEventListener("keydown", (event) => this.#key(event));
    playhead.addEventListener("change", () => {
      this.#showBanner();
      this.draw();
    });
    happenings.addEventListener("change", () => (this.#version += 1));
  }

  /** @param {string} refused why no other tick can be shown; empty if it can */
  allow(refused) {
    this.#refused = refused;
    for (const control of [...this.#steps, this.#back]) {
      control.disabled = refused !== "";
      control.dataset.title ??= control.title;
      control.title = refused || control.dataset.title;
    }
    this.#track.setAttribute("aria-disabled", String(refused !== ""));
    this.#track.title = refused;
    this.#showBanner();
  }

  /** Goes to the next bookmark of those that are shown. @param {1 | -1} way */
  toBookmark(way) {
    const { playhead, happenings } = this.#parts;
    playhead.toBookmark(way, happenings.ticks(this.#shown()));
  }

  /** Whether somebody moves the playhead, and looks where it goes. */
  get isMoved() {
    return this.#held !== null || this.#parts.playhead.isLooking;
  }

  /** Shows where the playhead is. */
  draw() {
    const { playhead, world } = this.#parts;
    const [oldest, newest] = playhead.range;
    const tick = this.#held ?? playhead.shown;
    const part = (tick - oldest) / (newest - oldest);
    // Bookmarks need no more than the tenth of a unit.
    const scale = Math.round((newest - oldest) / 100);
    const now = [oldest, newest, tick, this.#version, scale, playhead.isLooking, [...this.#off]].join();
    if (now === this.#drawn) return;
    this.#drawn = now;
    this.#head.style.left = `${100 * Math.min(1, Math.max(0, part))}%`;
    write(this.#at, this.#time(tick));
    write(this.#end, this.#time(newest));
    this.#track.setAttribute("aria-valuemin", String(oldest));
    this.#track.setAttribute("aria-valuemax", String(newest));
    this.#track.setAttribute("aria-valuenow", String(tick));
    const isPast = playhead.isLooking;
    this.#track.setAttribute("aria-valuetext", isPast ? `${this.#time(tick)}, ${this.#secs(playhead.now - tick)} ago` : this.#time(tick));
    write(this.#ago, world.status.replay
      ? `You look at ${this.#time(tick)}; the recording is at ${this.#time(playhead.now)}`
      : `You look at ${this.#secs(playhead.now - tick)} ago`);
    this.#drawBookmarks(oldest, newest);
  }

  #showBanner() {
    const { playhead, world } = this.#parts;
    this.#banner.hidden = !playhead.isLooking;
    document.body.classList.toggle("past", playhead.isLooking);
    this.#continue.disabled = !playhead.canContinue || this.#refused !== "";
    this.#continue.hidden = world.status.replay;
    this.#continue.title = this.#refused || (playhead.canContinue ? "The world goes on from this tick, for all" : "Only an operator may do this; you look on.");
  }

  #shown() {
    return KINDS.map(([kind]) => kind).filter((kind) => !this.#off.has(kind));
  }

  /**
   * @param {number} oldest
   * @param {number} newest
   */
  #drawBookmarks(oldest, newest) {
    for (const [kind, path] of this.#paths) {
      const [top, bottom] = HEIGHTS[kind];
      let d = "";
      let last = -Infinity;
      for (const { tick } of this.#off.has(kind) ? [] : this.#parts.happenings.of(kind)) {
        const x = (WIDTH * (tick - oldest)) / (newest - oldest);
        if (x < last + APART) continue;
        last = x;
        d += `M${x.toFixed(1)} ${top}V${bottom}`;
      }
      path.setAttribute("d", d);
    }
  }

  /** The pointer takes hold of the playhead, and shows what happened where. */
  #hold() {
    const track = this.#track;
    const { playhead } = this.#parts;
    const tickAt = (/** @type {PointerEvent} */ { clientX }) => {
      const { left, width } = track.getBoundingClientRect();
      const [oldest, newest] = playhead.range;
      return oldest + Math.min(1, Math.max(0, (clientX - left) / width)) * (newest - oldest);
    };
    track.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      track.setPointerCapture(event.pointerId);
      track.focus({ preventScroll: true });
      // The head stays with what is shown.
      if (this.#refused) return;
      this.#held = Math.round(tickAt(event));
      playhead.goTo(this.#held);
      this.#tell(event, tickAt(event));
    });
    track.addEventListener("pointermove", (event) => {
      this.#tell(event, tickAt(event));
      if (this.#held === null) return;
      this.#held = Math.round(tickAt(event));
      playhead.goTo(this.#held);
    });
    for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) {
      track.addEventListener(type, () => {
        this.#held = null;
        this.#tip.hidden = true;
      });
    }
    track.addEventListener("pointerleave", () => (this.#tip.hidden = this.#held === null));
  }

  /**
   * Says what is at the pointer.
   * @param {PointerEvent} event
   * @param {number} tick
   */
  #tell({ clientX }, tick) {
    const { left, width } = this.#track.getBoundingClientRect();
    const [oldest, newest] = this.#parts.playhead.range;
    const reach = (NEAR_PX / width) * (newest - oldest);
    /** @type {Happening | null} */
    let found = null;
    for (const kind of this.#shown()) {
      const near = this.#parts.happenings.of(kind).filter((bookmark) => Math.abs(bookmark.tick - tick) <= reach);
      const nearest = near.sort((a, b) => Math.abs(a.tick - tick) - Math.abs(b.tick - tick))[0];
      // What is rare comes first.
      if (nearest) {
        found = nearest;
        break;
      }
    }
    this.#tip.textContent = found ? `${this.#time(found.tick)} ${found.text}` : this.#time(tick);
    this.#tip.hidden = false;
    // A part of the width: the writing may be larger than the page's pixels.
    const half = this.#tip.getBoundingClientRect().width / 2;
    this.#tip.style.left = `${(100 * Math.min(width - half, Math.max(half, clientX - left))) / width}%`;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { playhead, world } = this.#parts;
    const [oldest, newest] = playhead.range;
    const by = (/** @type {number} */ secs) => playhead.goTo(playhead.shown + Math.max(1, Math.round(Math.abs(secs) / (world.hello?.dt_secs ?? 1))) * Math.sign(secs));
    const secs = event.shiftKey ? FINE_SECS : KEY_SECS;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => by(-secs), ArrowDown: () => by(-secs), ArrowRight: () => by(secs), ArrowUp: () => by(secs),
      PageDown: () => by(-PAGE_SECS), PageUp: () => by(PAGE_SECS), Home: () => playhead.goTo(oldest), End: () => playhead.goTo(newest),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    // The arrows would move the view as well.
    event.stopPropagation();
    act();
  }

  /**
   * A switch for a kind of bookmarks.
   * @param {string} kind
   * @param {string} name
   */
  #switch(kind, name) {
    const made = button("", () => {
      if (!this.#off.delete(kind)) this.#off.add(kind);
      made.setAttribute("aria-pressed", String(!this.#off.has(kind)));
      localStorage.setItem(STORED, JSON.stringify([...this.#off]));
    }, { id: `bookmarks-${kind}`, "aria-pressed": String(!this.#off.has(kind)) });
    made.append(make("span", { class: `sign ${kind}`, "aria-hidden": "true" }), name);
    return made;
  }

  /** A tick as minutes and seconds. @param {number} tick */
  #time(tick) {
    const tenths = Math.round(10 * tick * (this.#parts.world.hello?.dt_secs ?? 0));
    return `${Math.floor(tenths / 600)}:${((tenths % 600) / 10).toFixed(1).padStart(4, "0")}`;
  }

  /** @param {number} steps */
  #secs(steps) {
    return `${Math.max(0, steps * (this.#parts.world.hello?.dt_secs ?? 0)).toFixed(1)} s`;
  }
}

/**
 * A button with a picture.
 * @param {string} path
 * @param {string} id
 * @param {string} title
 * @param {string} name
 * @param {string} key
 * @param {() => void} press
 */
function icon(path, id, title, name, key, press) {
  const made = button("", press, { id, title, "aria-label": name });
  if (key) made.setAttribute("aria-keyshortcuts", key);
  const svg = document.createElementNS(SPACE, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const drawn = document.createElementNS(SPACE, "path");
  drawn.setAttribute("d", path);
  svg.append(drawn);
  made.append(svg);
  return made;
}

/** @returns {Set<string>} */
function readOff() {
  try {
    const off = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return new Set(Array.isArray(off) ? off : []);
  } catch {
    // Somebody else wrote there.
    return new Set();
  }
}
