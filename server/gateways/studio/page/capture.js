// The field as a picture and as a film, made by the browser.

import { save, saveCanvas } from "./files.js";

/** Pictures a second in a film. */
const FILM_RATE = 30;
/** Bits a second: lines and names stay sharp. */
const FILM_BITS = 8_000_000;
/** What browsers write, the best first. */
const FILM_TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

/** It dispatches "change" when a film begins or ends. */
export class Capture extends EventTarget {
  #canvas;
  #world;
  /** @type {MediaRecorder | null} */
  #film = null;

  /** @param {HTMLCanvasElement} canvas @param {import("./world.js").World} world */
  constructor(canvas, world) {
    super();
    this.#canvas = canvas;
    this.#world = world;
  }

  /** Whether this browser can make films. */
  get canFilm() {
    return typeof MediaRecorder === "function" && FILM_TYPES.some((type) => MediaRecorder.isTypeSupported(type));
  }

  get isFilming() {
    return this.#film !== null;
  }

  picture() {
    saveCanvas(this.#canvas, `${this.#name()}.png`);
  }

  /** Begins a film, or ends it and saves it. */
  film() {
    if (this.#film) return this.#film.stop();
    const mimeType = FILM_TYPES.find((type) => MediaRecorder.isTypeSupported(type));
    const film = new MediaRecorder(this.#canvas.captureStream(FILM_RATE), { mimeType, videoBitsPerSecond: FILM_BITS });
    const name = this.#name();
    /** @type {Blob[]} */
    const parts = [];
    film.addEventListener("dataavailable", ({ data }) => parts.push(data));
    film.addEventListener("stop", () => {
      film.stream.getTracks().forEach((track) => track.stop());
      this.#film = null;
      const type = film.mimeType.split(";")[0];
      save(new Blob(parts, { type }), `${name}.${type.endsWith("mp4") ? "mp4" : "webm"}`, type);
      this.dispatchEvent(new Event("change"));
    });
    film.start(1000);
    this.#film = film;
    this.dispatchEvent(new Event("change"));
  }

  #name() {
    const { hello, newest } = this.#world;
    return `${(hello?.world ?? "field").replaceAll(/\W+/g, "-")}-${(newest?.time ?? 0).toFixed(1)}s`;
  }
}
