// The frames of the last minutes, thinned out: what is known of poses before somebody asks for a plot of them.

/** @typedef {import("./protocol.js").Frame} Frame */

/** Kept for so long, simulated seconds. */
const KEPT_SECS = 300;
/** And at most so often: a plot shows no more. */
const APART_SECS = 0.1;
/** With many objects less is kept: so many poses in all. */
const MOST_POSES = 200_000;
/** Of looks at the past so many frames are kept: from two that lie near follows how fast all was. */
const MOST_LOOKS = 40;
/** What lies further away tells nothing of how fast something was, simulated seconds. */
const NEAR_SECS = 0.35;
/** Status and frame are not of quite the same moment, simulated seconds. */
const SLACK_SECS = 0.1;

/** How a frame goes on from the last one: in time, after others that were not seen, or from elsewhere. @typedef {"on" | "unseen" | "anew"} Course */

export class History {
  /** Oldest first. @type {Frame[]} */
  frames = [];
  /** The last one of all, also if it is left out of those. @type {Frame[]} */
  #newest = [];
  /** Those before which something was not seen. @type {WeakSet<Frame>} */
  #begins = new WeakSet();
  /** How many ticks of the timeline the world is ahead of its steps: another number after each reset and fork. @type {number | null} */
  #ahead = null;
  /** What this page has looked at. @type {{ frame: Frame, ahead: number }[]} */
  #looks = [];

  /**
   * @param {Frame} frame
   * @param {Course} course
   */
  keep(frame, course) {
    if (course === "anew") [this.frames, this.#ahead] = [[], null];
    this.#newest = [frame];
    const last = this.frames.at(-1);
    if (last && frame.time < last.time + APART_SECS) return;
    if (course === "unseen") this.#begins.add(frame);
    this.frames.push(frame);
    const most = Math.min(KEPT_SECS / APART_SECS, MOST_POSES / Math.max(1, frame.poses.size));
    if (this.frames.length > most) this.frames.splice(0, this.frames.length - Math.floor(most));
  }

  /** The server may have been started anew: what was looked at may be of another world. */
  forgetLooks() {
    this.#looks = [];
  }

  /** The server has said at which tick of the timeline the world was, at about this frame. @param {Frame} frame @param {number} tick */
  place(frame, tick) {
    this.#ahead = tick - frame.step;
  }

  /** A frame of a look at the past. @param {Frame} frame @param {number} tick */
  look(frame, tick) {
    this.#looks.push({ frame, ahead: tick - frame.step });
    if (this.#looks.length > MOST_LOOKS) this.#looks.shift();
  }

  /** The last frame at or before a time from which on all was seen, simulated seconds. @param {number} time */
  before(time) {
    for (let at = this.frames.length - 1; at >= 0; at -= 1) {
      const frame = this.frames[at];
      if (frame.time <= time) return frame;
      if (this.#begins.has(frame)) return undefined;
    }
    return undefined;
  }

  /** Whether nothing is known of what was right before a frame. @param {Frame} frame */
  isBegin(frame) {
    return frame === this.frames[0] || this.#begins.has(frame);
  }

  /**
   * The frames at or before, and at or after, an earlier step of the branch of the timeline on which a frame is; undefined if what was right before or
   * after that step was not seen.
   * @param {number} step
   * @param {Frame} frame
   * @param {number | null} tick of the past that is looked at; null if the frame is of now
   * @param {number} dt simulated seconds of a step
   * @returns {[Frame, Frame] | undefined}
   */
  around(step, frame, tick, dt) {
    // From the newest on, as samples are not old.
    const others = tick === null ? [this.#newest, this.frames] : [this.#branch(tick - frame.step, dt)];
    /** @type {Frame | undefined} */
    let before;
    let after = frame;
    for (const frames of others) {
      for (let at = frames.length - 1; at >= 0 && !(before && tick === null); at -= 1) {
        const other = frames[at];
        if (other.run !== frame.run || other.step > after.step) continue;
        if (other.step >= step) after = other;
        if (other.step <= step && other.step >= (before?.step ?? 0)) before = other;
      }
    }
    return before && after.time - before.time <= NEAR_SECS ? [before, after] : undefined;
  }

  /** The frames that are known of the branch of the timeline that is so many ticks ahead of its steps. @param {number} ahead @param {number} dt */
  #branch(ahead, dt) {
    const isSame = this.#ahead !== null && Math.abs(this.#ahead - ahead) * dt <= SLACK_SECS;
    const looks = this.#looks.filter((look) => look.ahead === ahead).map((look) => look.frame);
    return isSame ? [...looks, ...this.frames, ...this.#newest] : looks;
  }

  /**
   * The frame next to that of a look at the past, before it or after it; undefined if none is known of the same branch of the timeline.
   * @param {Frame} frame
   * @param {number} tick that is looked at
   * @param {number} apart how far away is best, simulated seconds
   * @param {number} dt simulated seconds of a step
   */
  beside(frame, tick, apart, dt) {
    /** @type {Frame | undefined} */
    let found;
    let least = Infinity;
    for (const other of this.#branch(tick - frame.step, dt)) {
      const off = Math.abs(other.time - frame.time);
      if (other.run !== frame.run || other.step === frame.step || off > NEAR_SECS || Math.abs(off - apart) >= least) continue;
      [found, least] = [other, Math.abs(off - apart)];
    }
    return found;
  }
}
