// How soon a page shows the present again: after its tab was in the background, after its link was gone, and over a slow link.

import net from "node:net";
import { crowd, quantile, ROBOTS_SHOWN, showLasers } from "./benchworld.js";
import { openStudio, startServer } from "./harness.js";

/** @typedef {import("playwright-core").Browser} Browser */
/** @typedef {import("./harness.js").Studio} Studio */

/** 1 Mbit/s. */
const SLOW_BYTES_PER_MS = 125;
const DT_MS = 10;
/** A frame of so long ago is the present: what a page draws late by design is less. */
const PRESENT_MS = 250;

const now = () => performance.timeOrigin + performance.now();
const pause = (/** @type {number} */ secs) => new Promise((resolve) => setTimeout(resolve, 1000 * secs));

/**
 * A link in between: it lets so many bytes through, each way, or none.
 * @param {string} url of the server
 */
async function startLink(url) {
  const { hostname, port } = new URL(url);
  const link = { bytesPerMs: Infinity, url: "", carried: 0, close: () => {} };
  const server = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    for (const [from, to] of [[near, far], [far, near]]) carry(from, to);
  });
  /** @param {net.Socket} from @param {net.Socket} to */
  function carry(from, to) {
    /** @type {Buffer[]} */
    let waiting = [];
    let [room, filled, isEnded] = [0, now(), false];
    const send = () => {
      const passed = now() - filled;
      filled += passed;
      // What was not used is gone, but for what a timer is late.
      room = Math.min(room + passed * link.bytesPerMs, 30 * link.bytesPerMs);
      if (link.bytesPerMs === 0) room = 0;
      while (waiting.length > 0 && room >= 1) {
        const [first] = waiting;
        const part = first.subarray(0, Math.floor(Math.min(room, first.length)));
        to.write(part);
        room -= part.length;
        link.carried += part.length;
        if (part.length < first.length) waiting[0] = first.subarray(part.length);
        else waiting = waiting.slice(1);
      }
      if (waiting.length === 0) {
        if (isEnded) to.end();
        else from.resume();
      }
    };
    const timer = setInterval(send, 5);
    from.on("data", (data) => {
      waiting.push(data);
      // The sender learns that the link is full.
      from.pause();
      send();
    });
    from.on("end", () => (isEnded = true));
    for (const socket of [from, to]) {
      socket.on("error", () => {});
      socket.once("close", () => {
        clearInterval(timer);
        from.destroy();
        to.destroy();
      });
    }
  }
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  link.url = `http://127.0.0.1:${/** @type {net.AddressInfo} */ (server.address()).port}/`;
  link.close = () => server.close();
  return link;
}

/**
 * Asks the message board, over a connection of its own, where the world is.
 * @param {string} board
 */
function startClock(board) {
  const [host, port] = board.split(":");
  const socket = net.connect(Number(port), host);
  /** @type {[number, number][]} Instants and the step then. */
  const known = [];
  let [asked, text] = [0, ""];
  socket.on("data", (data) => {
    text += data;
    for (const step of text.matchAll(/OK STATUS .*?\bstep=(\d+).*?\n/g)) known.push([(asked + now()) / 2, Number(step[1])]);
    text = text.slice(text.lastIndexOf("\n") + 1);
  });
  const timer = setInterval(() => {
    asked = now();
    socket.write("STATUS\n");
  }, 100);
  return {
    /** When a step was made. @param {number} step */
    at(step) {
      const after = known.findIndex((one) => one[1] >= step);
      const [instant, then] = known[after < 0 ? known.length - 1 : after];
      return instant - (then - step) * DT_MS;
    },
    stop() {
      clearInterval(timer);
      socket.destroy();
    },
  };
}

/**
 * From now on the page notes what it draws, and when. It can be hidden as a tab is: nothing is drawn then, and the page is told.
 * @param {Studio} studio
 */
function notePictures({ page }) {
  return page.evaluate(() => {
    // @ts-expect-error The page puts it there.
    const { world, painter } = window.touchline;
    const draw = painter.draw.bind(painter);
    /** @type {[number, number][]} */
    const pictures = [];
    painter.draw = (/** @type {number} */ nowMs) => {
      draw(nowMs);
      if (world.newest) pictures.push([world.newest.step, performance.timeOrigin + performance.now()]);
    };
    const ask = window.requestAnimationFrame.bind(window);
    /** @type {FrameRequestCallback[]} */
    let held = [];
    window.requestAnimationFrame = (callback) => (document.hidden ? held.push(callback) : ask(callback));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) held.splice(0).forEach((callback) => ask(callback));
    });
    // @ts-expect-error For the benchmark alone.
    window.pictures = pictures;
  });
}

/** @param {Studio} studio @param {boolean} isHidden */
function setHidden({ page }, isHidden) {
  return page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

/**
 * What was drawn since, each picture with the age of the newest frame in it.
 * @param {Studio} studio
 * @param {ReturnType<typeof startClock>} clock
 * @returns {Promise<{ at: number, age: number, step: number }[]>}
 */
async function pictures({ page }, clock) {
  await pause(0.3);
  // @ts-expect-error For the benchmark alone.
  const drawn = await page.evaluate(() => window.pictures.splice(0));
  return drawn.map((/** @type {[number, number]} */ [step, at]) => ({ step, at, age: at - clock.at(step) }));
}

/**
 * How it went from an instant on.
 * @param {string} name
 * @param {{ at: number, age: number, step: number }[]} drawn
 * @param {number} from
 */
function tell(name, drawn, from) {
  const after = drawn.filter(({ at }) => at >= from);
  const present = after.find(({ age }) => age < PRESENT_MS);
  const later = after.filter(({ at }) => at > from + 1000);
  const ages = later.map(({ age }) => age);
  const secs = ((later.at(-1)?.at ?? from) - from) / 1000 - 1;
  console.log(`${name}: the present after ${present ? (present.at - from).toFixed(0) : "never"} ms; from 1 s on `
    + `${(new Set(later.map(({ step }) => step)).size / secs).toFixed(0)} steps a second, ${quantile(ages, 0.5).toFixed(0)} ms old (median), `
    + `${quantile(ages, 0.99).toFixed(0)} ms (99 %), ${quantile(ages, 1).toFixed(0)} ms (oldest)`);
}

/**
 * @param {Browser} browser
 * @param {string} folder
 */
export async function links(browser, folder) {
  const server = await startServer({ world: crowd(folder) });
  const clock = startClock(server.board);
  const link = await startLink(server.url);
  for (const hasLasers of [false, true]) {
    link.bytesPerMs = Infinity;
    const studio = await openStudio(browser, link.url);
    const what = `${ROBOTS_SHOWN} robots${hasLasers ? " and their lasers" : ""}`;
    if (hasLasers) await showLasers(studio);
    await notePictures(studio);
    const before = link.carried;
    await pause(5);
    console.log(`${what}: ${((link.carried - before) / 5000 * 8 / 1000).toFixed(2)} Mbit/s on a fast link`);

    await setHidden(studio, true);
    await pause(30);
    await pictures(studio, clock);
    const shownAt = now();
    await setHidden(studio, false);
    await pause(5);
    tell(`${what}, 30 s in a tab in the background`, await pictures(studio, clock), shownAt);

    // Nothing runs in it, and nothing is read: as if the machine slept. After 10 s the server gives it up.
    const session = await studio.page.context().newCDPSession(studio.page);
    for (const secs of [5, 30]) {
      await session.send("Debugger.enable");
      const stopped = new Promise((resolve) => session.once("Debugger.paused", resolve));
      await session.send("Debugger.pause");
      await stopped;
      await pause(secs);
      const from = now();
      await session.send("Debugger.resume");
      // It slows what runs.
      await session.send("Debugger.disable");
      await pause(5);
      tell(`${what}, ${secs} s asleep`, await pictures(studio, clock), from);
    }

    link.bytesPerMs = SLOW_BYTES_PER_MS;
    let from = now();
    await pause(20);
    tell(`${what}, the link becomes 1 Mbit/s`, await pictures(studio, clock), from);
    link.bytesPerMs = 0;
    await pause(5);
    link.bytesPerMs = SLOW_BYTES_PER_MS;
    from = now();
    await pause(10);
    tell(`${what}, 5 s without a link, then 1 Mbit/s`, await pictures(studio, clock), from);
    studio.complaints.length = 0;
    await studio.close();
  }
  link.close();
  clock.stop();
  await server.stop();
}
