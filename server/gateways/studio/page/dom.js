// Elements of the page: found, and made.

/**
 * The element of this id, which the page has.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element "${id}"`);
  return /** @type {T} */ (found);
}

/**
 * Makes an element; `class` and attributes with a dash or of other names are set as they stand.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | boolean>} [attributes] `true` sets an empty one, `false` none
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/**
 * A button that does something.
 * @param {string} text
 * @param {() => void} press
 * @param {Record<string, string | boolean>} [attributes]
 */
export function button(text, press, attributes = {}) {
  const made = make("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", press);
  return made;
}

/**
 * A control, which has an id, with its label, and perhaps a sentence about it.
 * @param {string} name
 * @param {HTMLInputElement | HTMLSelectElement} control
 * @param {string} [hint]
 */
export function field(name, control, hint = "") {
  const whole = make("div", { class: "field" }, make("label", { for: control.id }, name), control);
  if (hint) {
    const about = make("small", { class: "quiet", id: `about-${control.id}` }, hint);
    control.setAttribute("aria-describedby", about.id);
    whole.append(about);
  }
  return whole;
}

/**
 * Writes a text, if it is another one.
 * @param {HTMLElement} target
 * @param {string} text
 */
export function write(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/**
 * A dot of a team's or robot's colour; that of every other team has a dark heart, as its robots' arrows are dark.
 * @param {string} colour
 * @param {number | null} [team]
 */
export function swatch(colour, team = null) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "swatch");
  svg.setAttribute("viewBox", "0 0 14 14");
  svg.setAttribute("aria-hidden", "true");
  const circle = document.createElementNS(space, "circle");
  for (const [name, value] of Object.entries({ cx: "7", cy: "7", r: "6", fill: colour })) circle.setAttribute(name, value);
  svg.append(circle);
  if (team !== null) {
    const heart = document.createElementNS(space, "path");
    heart.setAttribute("d", "M11 7 4.500 10.500 6 7 4.500 3.500z");
    heart.setAttribute("fill", team % 2 === 1 ? "#000000" : "#ffffff");
    heart.setAttribute("stroke", "none");
    svg.append(heart);
  }
  return svg;
}
