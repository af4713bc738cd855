// How long a page waits for a moment. A ten-minute match is recorded for it.

import { quantile } from "./benchworld.js";
import { openStudio, recordMatch, startServer } from "./harness.js";

const MATCH_SECS = 600;
const SEEKS = 200;

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} folder
 */
export async function seek(browser, folder) {
  await measure(browser, "a look at the past of a live match", await startServer(), 20_000);
  const replay = recordMatch(folder, MATCH_SECS);
  await measure(browser, "a seek in a ten-minute recording", await startServer({ replay }), 100 * MATCH_SECS);
}

/**
 * Goes to ticks all over the timeline, one after the other, and measures until the page has the frame of each.
 * @param {import("playwright-core").Browser} browser
 * @param {string} name
 * @param {Awaited<ReturnType<typeof startServer>>} server
 * @param {number} newest the timeline is so long at least
 */
async function measure(browser, name, server, newest) {
  const studio = await openStudio(browser, server.url);
  if ((await studio.state()).status.replay) await studio.page.keyboard.press("Space");
  else await studio.page.keyboard.press("m");
  await studio.until((state) => state.status.newest >= newest);
  // Else what was kept is forgotten while it is measured.
  await studio.page.keyboard.press("1");
  await studio.until((state) => state.status.speed === 1);
  const took = await studio.page.evaluate(async (seeks) => {
    // @ts-expect-error The page puts it there.
    const { playhead, world } = window.touchline;
    const receive = world.receive.bind(world);
    let arrived = (/** @type {number} */ _) => {};
    world.receive = (/** @type {{ step: number }} */ frame, /** @type {number} */ now) => {
      arrived(frame.step);
      return receive(frame, now);
    };
    const { newest, replay } = world.status;
    // Of a live match the oldest may be forgotten meanwhile.
    const oldest = world.status.oldest + (replay ? 0 : 2000);
    /** @type {number[]} */
    const took = [];
    for (let seek = 1; seek <= seeks; seek += 1) {
      // All over it, in no order that would help.
      const tick = Math.round(oldest + ((seek * 0.618_034) % 1) * (newest - oldest - 200));
      const begun = performance.now();
      const came = new Promise((resolve) => {
        arrived = (step) => step === tick && resolve(undefined);
      });
      playhead.goTo(tick);
      await came;
      took.push(performance.now() - begun);
    }
    return took;
  }, SEEKS);
  const at = (/** @type {number} */ part) => `${quantile(took, part).toFixed(1)} ms`;
  console.log(`${name}: median ${at(0.5)}, 95 % ${at(0.95)}, longest ${at(1)} (${SEEKS} seeks)`);
  await studio.close();
  await server.stop();
}
