// What is written on the field besides names, such as what robots think: no text lies over a name, or over another one.

import { isTaken, take } from "./names.js";
import { uiScale } from "./size.js";

/**
 * @typedef {import("./names.js").Box} Box
 *
 * @typedef {object} Text
 * @property {string} key whose it is, and which
 * @property {string} text
 * @property {number} x of the point beside which it stands, pixels of the page
 * @property {number} y
 * @property {string} colour `#rrggbb`
 * @property {number} rank the lowest is placed first
 */

const SIZE_PX = 12;
const GAP_PX = 4;
/** A longer text is cut off. */
const MOST_LETTERS = 200;
/** Widths that are kept. */
const MOST_WIDTHS = 1000;
/** Where a text may stand: right (1) or left (-1) of its point or over it, and so many lines up. @type {[number, number][]} */
const PLACES = [[1, 0.5], [1, -0.5], [-1, 0.5], [-1, -0.5], [0, 1.2], [0, -1.2], [1, 1.5], [-1, 1.5], [1, -1.5], [-1, -1.5]];

export class Texts {
  /** Where each text stood last, so that it does not leap. @type {Map<string, number>} */
  #last = new Map();
  /** @type {Map<string, number>} */
  #widths = new Map();
  /** The boxes of those that are drawn, pixels of the page; for tests. @type {Box[]} */
  boxes = [];

  /**
   * Writes what has a place; the rest is left out.
   * @param {CanvasRenderingContext2D} context
   * @param {number} ratio
   * @param {Text[]} texts
   * @param {import("./names.js").Cells} cells what is taken; each text takes its own place there
   */
  draw(context, ratio, texts, cells) {
    this.boxes = [];
    if (texts.length === 0) return;
    const size = SIZE_PX * uiScale();
    const [wide, high] = [context.canvas.width / ratio, context.canvas.height / ratio];
    const last = this.#last;
    this.#last = new Map();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = `600 ${size}px system-ui, sans-serif`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.setLineDash([]);
    context.lineJoin = "round";
    context.lineWidth = 3;
    // Anybody may publish anything anywhere.
    const near = texts.filter(({ x, y }) => x > -wide && x < 2 * wide && y > -high && y < 2 * high);
    for (const { key, text, x, y, colour } of near.sort((a, b) => a.rank - b.rank)) {
      const words = text.slice(0, MOST_LETTERS);
      const [width, height] = [this.#width(context, words, size), 1.35 * size];
      const boxAt = (/** @type {number} */ way) => {
        const [across, up] = PLACES[way];
        const left = across === 0 ? x - width / 2 : across > 0 ? x + GAP_PX : x - GAP_PX - width;
        const top = y - up * height - height / 2;
        return { left, top, right: left + width, bottom: top + height };
      };
      const before = last.get(key);
      const ways = PLACES.map((_, way) => way);
      if (before !== undefined) ways.unshift(before);
      // Half a text at the edge of the picture is worse than one that stands on the other side.
      const isWhole = (/** @type {Box} */ { left, right, top, bottom }) => left >= 0 && right <= wide && top >= 0 && bottom <= high;
      const free = ways.filter((way) => !isTaken(cells, boxAt(way)));
      const way = free.find((way) => isWhole(boxAt(way))) ?? free[0];
      if (way === undefined) continue;
      const box = boxAt(way);
      take(cells, box);
      this.boxes.push(box);
      this.#last.set(key, way);
      // Read on grass of any theme, whatever its colour.
      context.strokeStyle = isDark(colour) ? "#ffffffe0" : "#000000c0";
      context.fillStyle = colour;
      context.strokeText(words, box.left, box.top + height / 2);
      context.fillText(words, box.left, box.top + height / 2);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {string} words @param {number} size */
  #width(context, words, size) {
    const key = `${size} ${words}`;
    const known = this.#widths.get(key);
    if (known !== undefined) return known;
    if (this.#widths.size >= MOST_WIDTHS) this.#widths.clear();
    const { width } = context.measureText(words);
    this.#widths.set(key, width);
    return width;
  }
}

/** Whether a colour is told from black less easily than from white. @param {string} colour `#rrggbb` */
function isDark(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18;
}
