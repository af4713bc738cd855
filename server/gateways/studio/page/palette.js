// Light or dark: the browser's wish, unless somebody chose; and the field's colours.

const STORED = "touchline-theme";

/**
 * @typedef {object} Palette
 * @property {string} floor grass inside the walls
 * @property {string} stripe every other metre of it
 * @property {string} hall a floor on which no game is played
 * @property {string} hallStripe every other metre of that
 * @property {string} grid
 * @property {string} gridAxis its lines through the origin
 * @property {string} wall for walls of no colour of their own
 * @property {string} edge around what is solid
 * @property {string} label
 * @property {string} halo around labels
 */

/** @type {Record<"light" | "dark", Palette>} */
export const PALETTES = {
  light: {
    floor: "#4a9a5f", stripe: "#458f59", hall: "#a3aaa8", hallStripe: "#9ca3a1", grid: "#00000030", gridAxis: "#00000080",
    wall: "#dfe5e2", edge: "#00000070", label: "#ffffff", halo: "#0b2415e0",
  },
  dark: {
    floor: "#1f4a31", stripe: "#1c432c", hall: "#303638", hallStripe: "#2b3133", grid: "#ffffff28", gridAxis: "#ffffff70",
    wall: "#3a4541", edge: "#000000a0", label: "#f2f7f4", halo: "#06140ce8",
  },
};

const wish = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"light" | "dark"} */
export function currentTheme() {
  const chosen = localStorage.getItem(STORED);
  if (chosen === "light" || chosen === "dark") return chosen;
  return wish.matches ? "dark" : "light";
}

/** The other one from now on. */
export function toggleTheme() {
  localStorage.setItem(STORED, currentTheme() === "dark" ? "light" : "dark");
  applyTheme();
}

export function applyTheme() {
  document.documentElement.dataset.theme = currentTheme();
}

wish.addEventListener("change", applyTheme);
