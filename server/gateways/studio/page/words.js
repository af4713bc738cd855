// Lines of the message board, taken apart and put together. docs/protocol.md has their grammar.

/**
 * @typedef {object} Words
 * @property {string} word the first
 * @property {string[]} words those without a key after it, quotes taken off
 * @property {Record<string, string>} fields those with a key
 */

const PART = /(?:([a-z0-9_]+)=)?(?:"((?:[^"\\]|\\.)*)"|(\S+))/g;
/** @type {Record<string, string>} */
const ESCAPES = { n: "\n", t: "\t" };

/**
 * @param {string} line
 * @returns {Words}
 */
export function readWords(line) {
  /** @type {Words} */
  const read = { word: "", words: [], fields: {} };
  for (const [, key, quoted, plain] of line.matchAll(PART)) {
    const text = quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, (_, letter) => ESCAPES[letter] ?? letter);
    if (key !== undefined) read.fields[key] = text;
    else if (read.word === "" && quoted === undefined) read.word = text;
    else read.words.push(text);
  }
  return read;
}

/**
 * A text as the board takes it: one word, whatever is in it.
 * @param {string} text
 */
export function quote(text) {
  if (/^[A-Za-z0-9_.-]+$/.test(text)) return text;
  const escaped = text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `"${escaped}"`;
}

/**
 * A number as the board takes it, to a tenth of a millimetre.
 * @param {number} number
 */
export function decimal(number) {
  return number.toFixed(4);
}
