// Robots' names on the field: none lies over another, however many there are.

import { currentTheme, PALETTES } from "./palette.js";
import { uiScale } from "./size.js";

/**
 * @typedef {object} Label
 * @property {number} id
 * @property {string} text
 * @property {number} x of the robot, pixels of the page
 * @property {number} y
 * @property {number} radius of the robot, pixels
 * @property {number} rank the lowest is placed first
 *
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Box
 * @typedef {{ picture: HTMLCanvasElement, width: number, height: number }} Sprite
 */

/** Room around a robot, pixels. */
const GAP_PX = 3;
/** A smaller robot has a smaller name, pixels. */
const SMALL_ROBOT_PX = 9;
/** Names that are kept as pictures. */
const MOST_SPRITES = 600;
/** Side of the cells by which names are told that lie near, pixels. */
const CELL_PX = 64;
/** Where a name may stand: across and up, parts of what is free. @type {[number, number][]} */
const PLACES = [[0, -1], [0, 1], [1, 0], [-1, 0]];

/** Where something is written already, by cells of the page. @typedef {Map<string, Box[]>} Cells */

export class Names {
  /** Where names stand in the picture that was drawn last. @type {Cells} */
  cells = new Map();
  /** @type {Map<string, Sprite>} */
  #sprites = new Map();
  /** Where each name stood last and in which words, so that it does not leap. @type {Map<number, number>} */
  #last = new Map();
  /** How many are drawn; for tests as well. */
  shown = 0;
  /** The boxes of those, pixels of the page; for tests. @type {Box[]} */
  boxes = [];

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} ratio
   * @param {Label[]} labels
   */
  draw(context, ratio, labels) {
    /** @type {Cells} */
    const cells = (this.cells = new Map());
    /** @type {Cells} */
    const bodies = new Map();
    for (const { x, y, radius } of labels) take(bodies, { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius });
    this.boxes = [];
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (const label of labels.toSorted((a, b) => a.rank - b.rank || a.id - b.id)) {
      const found = this.#place(label, ratio, [cells, bodies]) ?? this.#place(label, ratio, [cells]);
      if (!found) continue;
      const { box, sprite } = found;
      this.boxes.push(box);
      take(cells, box);
      context.drawImage(sprite.picture, Math.round(box.left * ratio), Math.round(box.top * ratio));
    }
    this.shown = this.boxes.length;
  }

  /**
   * The first place where nothing else is: beside the robot in full, then by its last part, which is its number for most.
   * @param {Label} label
   * @param {number} ratio
   * @param {Cells[]} taken names, and robots as far as that can be had
   */
  #place({ id, text, x, y, radius }, ratio, taken) {
    const short = text.slice(text.lastIndexOf("-") + 1);
    const size = (radius < SMALL_ROBOT_PX ? 10 : 12) * uiScale();
    const words = short === text || short === "" ? [text] : [text, short];
    const ways = words.flatMap((_, word) => PLACES.map((_, place) => word * PLACES.length + place));
    const last = this.#last.get(id);
    // Where it was is tried first among what is as good.
    const isShort = (/** @type {number} */ way) => (way >= PLACES.length ? 1 : 0);
    ways.sort((a, b) => isShort(a) - isShort(b) || Number(b === last) - Number(a === last) || a - b);
    for (const way of ways) {
      const sprite = this.#sprite(words[isShort(way)], size, ratio);
      const [across, up] = PLACES[way % PLACES.length];
      const left = x - sprite.width / 2 + across * (radius + GAP_PX + sprite.width / 2);
      const top = y - sprite.height / 2 + up * (radius + 1 + sprite.height / 2);
      const box = { left, top, right: left + sprite.width, bottom: top + sprite.height };
      if (taken.some((cells) => isTaken(cells, box))) continue;
      this.#last.set(id, way);
      return { box, sprite };
    }
    this.#last.delete(id);
    return null;
  }

  /** A name as a picture: to write it anew each time takes longer. @param {string} text @param {number} size @param {number} ratio */
  #sprite(text, size, ratio) {
    const key = [text, size, ratio, currentTheme()].join();
    const known = this.#sprites.get(key);
    if (known) return known;
    if (this.#sprites.size >= MOST_SPRITES) this.#sprites.clear();
    const picture = document.createElement("canvas");
    const context = picture.getContext("2d");
    if (!context) throw new Error("this browser has no 2D canvas");
    const font = `600 ${size}px system-ui, sans-serif`;
    context.font = font;
    const width = Math.ceil(context.measureText(text).width) + 6;
    const height = Math.ceil(1.35 * size);
    [picture.width, picture.height] = [Math.ceil(width * ratio), Math.ceil(height * ratio)];
    const palette = PALETTES[currentTheme()];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = font;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = palette.halo;
    context.fillStyle = palette.label;
    context.strokeText(text, width / 2, height / 2);
    context.fillText(text, width / 2, height / 2);
    const sprite = { picture, width, height };
    this.#sprites.set(key, sprite);
    return sprite;
  }
}

/** Whether something is written where a box would lie. @param {Cells} cells @param {Box} box */
export function isTaken(cells, box) {
  return keysOf(box).some((key) => cells.get(key)?.some((other) => overlap(box, other)));
}

/** Something is written there. @param {Cells} cells @param {Box} box */
export function take(cells, box) {
  for (const key of keysOf(box)) cells.set(key, [...cells.get(key) ?? [], box]);
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** What lies further away, where anybody may have put it, is in no cell. */
const FAR_PX = 1e6;

/** @param {Box} box */
function keysOf({ left, top, right, bottom }) {
  /** @type {string[]} */
  const keys = [];
  if (![left, top, right, bottom].every((edge) => Math.abs(edge) < FAR_PX)) return keys;
  for (let x = Math.floor(left / CELL_PX); x <= Math.floor(right / CELL_PX); x += 1) {
    for (let y = Math.floor(top / CELL_PX); y <= Math.floor(bottom / CELL_PX); y += 1) keys.push(`${x} ${y}`);
  }
  return keys;
}
