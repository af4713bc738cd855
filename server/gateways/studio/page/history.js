// The frames of the last minutes, thinned out: what is known of poses before somebody asks for a plot of them.

/** @typedef {import("./protocol.js").Frame} Frame */

/** Kept for so long, simulated seconds. */
const KEPT_SECS = 300;
/** And at most so often: a plot shows no more. */
const APART_SECS = 0.1;
/** With many objects less is kept: so many poses in all. */
const MOST_POSES = 200_000;

export class History {
  /** Oldest first. @type {Frame[]} */
  frames = [];

  /**
   * @param {Frame} frame
   * @param {boolean} goesOn whether time has passed since the last one, and nothing else
   */
  keep(frame, goesOn) {
    if (!goesOn) this.frames = [];
    const last = this.frames.at(-1);
    if (last && frame.time < last.time + APART_SECS) return;
    this.frames.push(frame);
    const most = Math.min(KEPT_SECS / APART_SECS, MOST_POSES / Math.max(1, frame.poses.size));
    if (this.frames.length > most) this.frames.splice(0, this.frames.length - Math.floor(most));
  }

  /** The last frame at or before a time, simulated seconds. @param {number} time */
  before(time) {
    return this.frames.findLast((frame) => frame.time <= time);
  }
}
