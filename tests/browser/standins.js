// Stand-ins for the parts of a browser that the page's own logic asks for, so that it can be tested without one.

/** An empty page that is seen, a clock that never rings, and an address. @param {string} [address] */
export function standIn(address = "http://127.0.0.1/") {
  const document = Object.assign(new EventTarget(), { hidden: false });
  const timers = { setTimeout: () => 1, setInterval: () => 1 };
  const Path2D = class {
    moveTo() {}
    lineTo() {}
    closePath() {}
    arc() {}
    addPath() {}
  };
  Object.assign(globalThis, { Path2D, document, window: timers, location: new URL(address), history: { replaceState() {} }, setInterval: timers.setInterval });
}

/**
 * A board that notes what it is asked, and answers as it is told.
 * @param {(line: string) => string[]} answers the head of the answer, and the lines that belong to it
 */
export function boardOf(answers) {
  /** @type {string[]} */
  const asked = [];
  const board = {
    asked,
    onState: (/** @type {string} */ _head, /** @type {string[]} */ _lines) => {},
    ask(/** @type {string} */ line) {
      asked.push(line);
      const [head, ...lines] = answers(line);
      const ok = head.startsWith("OK");
      return Promise.resolve({ ok, head, lines, message: ok ? "" : /"(.*)"$/.exec(head)?.[1] ?? head });
    },
  };
  return /** @type {typeof board & import("../../server/gateways/studio/page/board.js").Board} */ (/** @type {unknown} */ (board));
}

/** Lets all that is answered be heard. */
export function settled() {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
