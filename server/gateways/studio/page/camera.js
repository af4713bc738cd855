// Which part of the world is seen: zoom, place, and a quarter turn for tall screens.

/**
 * @typedef {{ left: number, bottom: number, right: number, top: number }} Bounds metres
 * @typedef {[number, number, number, number, number, number]} Matrix as `setTransform` takes it
 */

const MARGIN_PX = 10;
/** One may zoom out so far, pixels for each metre, or until the whole is so small a part of the view. */
const MIN_SCALE = 4;
const SMALLEST_PART = 0.5;
const MAX_SCALE = 4000;

export class Camera {
  /** Pixels of the page for each metre. */
  scale = 60;
  /** The point of the world in the middle of the view, metres. */
  x = 0;
  y = 0;
  /** Whether the world's x axis points up instead of right. */
  turned = false;
  /** Whether the view follows the window's size, until somebody moves it. */
  fitted = true;
  width = 1;
  height = 1;
  /** The whole of what there is to see. @type {() => Bounds} */
  bounds = () => ({ left: -5, bottom: -3, right: 5, top: 3 });

  /** There is something else to see, such as another world. */
  refit() {
    if (this.fitted) this.fit();
  }

  /**
   * The view's size, pixels of the page.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    if (this.fitted) this.fit();
  }

  /** Shows everything. */
  fit() {
    const { left, bottom, right, top } = this.bounds();
    this.turned = false;
    const plain = this.#wholeScale();
    this.turned = true;
    // Only where more is seen by it: a square floor stays as it is.
    this.turned = this.#wholeScale() > plain;
    this.#setScale(this.#wholeScale());
    this.x = (left + right) / 2;
    this.y = (bottom + top) / 2;
    this.fitted = true;
  }

  /** The scale at which the whole fills the view, turned as it is. */
  #wholeScale() {
    const { left, bottom, right, top } = this.bounds();
    const [across, along] = [Math.max(0.1, right - left), Math.max(0.1, top - bottom)];
    const [w, h] = this.turned ? [along, across] : [across, along];
    const free = (/** @type {number} */ size) => Math.max(1, size - 2 * MARGIN_PX);
    return Math.min(free(this.width) / w, free(this.height) / h);
  }

  /**
   * Shows a place.
   * @param {number} x metres
   * @param {number} y metres
   * @param {number} scale pixels for each metre
   */
  look(x, y, scale) {
    this.#setScale(scale);
    [this.x, this.y, this.fitted] = [x, y, false];
  }

  /**
   * Moves the view with the world under the finger.
   * @param {number} dx pixels to the right
   * @param {number} dy pixels down
   */
  pan(dx, dy) {
    const [x, y] = this.#vectorToWorld(dx, dy);
    this.x -= x;
    this.y -= y;
    this.fitted = false;
  }

  /**
   * Zooms around a point of the view, pixels of the page.
   * @param {number} factor
   * @param {number} px
   * @param {number} py
   */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const before = this.toWorld(px, py);
    this.#setScale(this.scale * factor);
    const after = this.toWorld(px, py);
    this.x += before[0] - after[0];
    this.y += before[1] - after[1];
    this.fitted = false;
  }

  /**
   * The transform from metres to pixels, each of the page's pixels `ratio` wide.
   * @param {number} ratio
   * @returns {Matrix}
   */
  matrix(ratio = 1) {
    const s = this.scale * ratio;
    const [cx, cy] = [(this.width / 2) * ratio, (this.height / 2) * ratio];
    return this.turned
      ? [0, -s, -s, 0, cx + s * this.y, cy + s * this.x]
      : [s, 0, 0, -s, cx - s * this.x, cy + s * this.y];
  }

  /**
   * @param {number} x metres
   * @param {number} y metres
   * @returns {[number, number]} pixels of the page
   */
  toScreen(x, y) {
    const [a, b, c, d, e, f] = this.matrix();
    return [a * x + c * y + e, b * x + d * y + f];
  }

  /**
   * @param {number} px pixels of the page
   * @param {number} py pixels of the page
   * @returns {[number, number]} metres
   */
  toWorld(px, py) {
    const [x, y] = this.#vectorToWorld(px - this.width / 2, py - this.height / 2);
    return [this.x + x, this.y + y];
  }

  /**
   * @param {number} dx
   * @param {number} dy
   * @returns {[number, number]}
   */
  #vectorToWorld(dx, dy) {
    const [x, y] = [dx / this.scale, dy / this.scale];
    return this.turned ? [-y, -x] : [x, -y];
  }

  /** @param {number} scale */
  #setScale(scale) {
    const least = Math.min(MIN_SCALE, SMALLEST_PART * this.#wholeScale());
    this.scale = Math.min(MAX_SCALE, Math.max(least, scale));
  }
}

/**
 * Drag to move, wheel or two fingers to zoom, double click to see everything.
 * @param {HTMLElement} element
 * @param {Camera} camera
 */
export function attachPointers(element, camera) {
  /** @type {Map<number, { x: number, y: number }>} */
  const fingers = new Map();

  const place = (/** @type {PointerEvent | WheelEvent} */ event) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  /** The middle of all fingers, and their mean distance from it. */
  const grip = () => {
    const all = [...fingers.values()];
    const x = all.reduce((sum, finger) => sum + finger.x, 0) / all.length;
    const y = all.reduce((sum, finger) => sum + finger.y, 0) / all.length;
    const spread = all.reduce((sum, finger) => sum + Math.hypot(finger.x - x, finger.y - y), 0) / all.length;
    return { x, y, spread };
  };

  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, place(event));
  });
  element.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = grip();
    fingers.set(event.pointerId, place(event));
    const after = grip();
    camera.pan(after.x - before.x, after.y - before.y);
    if (before.spread > 0 && after.spread > 0) camera.zoom(after.spread / before.spread, after.x, after.y);
  });
  for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) {
    element.addEventListener(type, (event) => fingers.delete(event.pointerId));
  }
  element.addEventListener("wheel", (event) => {
    event.preventDefault();
    const { x, y } = place(event);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    // A touchpad's pinch comes as a wheel with the control key, in finer steps.
    camera.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0015)), x, y);
  }, { passive: false });
  element.addEventListener("dblclick", () => camera.fit());
}
