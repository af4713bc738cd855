// A gamepad by which a person drives: the left stick goes, the right one turns, the first button or the right trigger kicks.

/** A stick that is let go does not stand exactly in the middle. */
const DEAD = 0.15;
/** The first button below, and the right trigger, in the standard mapping. */
const KICK_BUTTONS = [0, 7];

/**
 * @typedef {object} Pad
 * @property {string} name
 * @property {import("./keyboard.js").Axes} axes
 * @property {boolean} kick
 */

/**
 * The first gamepad that is there.
 * @returns {Pad | null}
 */
export function readGamepad() {
  const pad = navigator.getGamepads?.().find((pad) => pad?.connected);
  if (!pad) return null;
  const [x, y, turn] = [0, 1, 2].map((axis) => past(pad.axes[axis] ?? 0));
  return {
    name: pad.id,
    axes: { forward: -y, left: -x, turn: -turn },
    kick: KICK_BUTTONS.some((button) => pad.buttons[button]?.pressed),
  };
}

/** What a stick is beyond its dead middle, from -1 to 1. @param {number} value */
function past(value) {
  const beyond = Math.max(0, Math.abs(value) - DEAD) / (1 - DEAD);
  return Math.sign(value) * Math.min(1, beyond);
}
