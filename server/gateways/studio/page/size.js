// How large the page's own writing is: it grows with the window, for a wall or a projector, and by a choice that is kept.

const STORED = "touchline-size";
const SIZES = [1, 1.25, 1.5, 2];
/** Windows from so wide and high on are looked at from afar, pixels, and how large all is then. @type {[number, number, number][]} */
const WINDOWS = [[3200, 1600, 2], [2400, 1250, 1.5]];

/** @type {number | null} */
let chosen = read();
let scale = 1;

/** How many times its plain size all writing has. */
export function uiScale() {
  return scale;
}

/** The next larger size; after the largest, that of the window again. Gives it. */
export function nextSize() {
  const at = SIZES.findIndex((size) => size > scale);
  chosen = at < 0 ? null : SIZES[at];
  if (chosen === null) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, String(chosen));
  applySize();
  return scale;
}

export function applySize() {
  scale = chosen ?? WINDOWS.find(([width, height]) => innerWidth >= width && innerHeight >= height)?.[2] ?? 1;
  document.documentElement.style.setProperty("--size", String(scale));
}

/** @returns {number | null} */
function read() {
  const stored = Number(localStorage.getItem(STORED));
  return SIZES.includes(stored) ? stored : null;
}

addEventListener("resize", applySize);
