// What tells places and lengths on the field: a scale bar, the place under the pointer, and a ruler.

import { make, write } from "./dom.js";
import { measured } from "./marks.js";
import { uiScale } from "./size.js";

/** The bar is no longer than this, pixels. */
const BAR_PX = 110;

export class Measure {
  #camera;
  #painter;
  #canvas;
  #bar = make("span", { class: "bar" });
  #length = make("span", { id: "scale" });
  #place = make("output", { id: "place", "aria-label": "Place of the pointer" });
  #drawn = "";
  /** Whether a drag measures. */
  #isOn = false;
  /** The pointer that measures. @type {number | null} */
  #held = null;
  element = make("div", { id: "measure" }, this.#bar, this.#length, this.#place);

  /**
   * @param {HTMLElement} canvas
   * @param {import("./camera.js").Camera} camera
   * @param {import("./draw.js").Painter} painter
   */
  constructor(canvas, camera, painter) {
    this.#canvas = canvas;
    this.#camera = camera;
    this.#painter = painter;
    canvas.parentElement?.append(this.element);
    const at = (/** @type {PointerEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      return camera.toWorld(event.clientX - box.left, event.clientY - box.top);
    };
    canvas.addEventListener("pointerleave", () => this.#tell(""));
    // Before those who move the view, and what is on it.
    canvas.addEventListener("pointerdown", (event) => {
      if (!this.#isOn || event.button !== 0) return;
      event.stopImmediatePropagation();
      canvas.setPointerCapture(event.pointerId);
      this.#held = event.pointerId;
      painter.marks.ruler = { from: at(event), to: at(event) };
    }, { capture: true });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = at(event);
      const { ruler } = painter.marks;
      if (this.#held === event.pointerId && ruler) {
        event.stopImmediatePropagation();
        painter.marks.ruler = { from: ruler.from, to: [x, y] };
        this.#tell(measured(ruler.from, [x, y]));
      } else this.#tell(`x ${metres(x)}, y ${metres(y)}`);
    }, { capture: true });
    for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) {
      canvas.addEventListener(type, (event) => {
        if (this.#held !== event.pointerId) return;
        event.stopImmediatePropagation();
        this.#held = null;
      }, { capture: true });
    }
  }

  /** Whether a drag measures. */
  get isOn() {
    return this.#isOn;
  }

  /** @param {boolean} isOn */
  set isOn(isOn) {
    this.#isOn = isOn;
    this.#canvas.classList.toggle("picking", isOn);
    if (!isOn) this.#painter.marks.ruler = null;
  }

  /** Brings the bar to the view's scale. */
  draw() {
    // The page's writing may be larger than its pixels, and the bar with it.
    const scale = this.#camera.scale / uiScale();
    if (this.#drawn === String(scale)) return;
    this.#drawn = String(scale);
    const step = longest(BAR_PX / scale);
    this.#bar.style.width = `${(step * scale).toFixed(1)}px`;
    write(this.#length, step >= 1 ? `${step} m` : `${Math.round(100 * step)} cm`);
  }

  /** @param {string} text */
  #tell(text) {
    write(this.#place, text);
  }
}

/** The longest round length within another: 1, 2 or 5 times a power of ten. @param {number} most metres */
function longest(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([5, 2].find((factor) => factor * power <= most) ?? 1);
}

/** @param {number} at metres */
export function metres(at) {
  return `${at.toFixed(2).replace(/^-(?=0\.00$)/, "").replace("-", "−")} m`;
}
