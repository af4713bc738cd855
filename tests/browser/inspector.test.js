// The studio's section about the chosen robot: motion, sensors, plots, radio, annotations. (C9)

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { noteLines, onPage, openPanel, said, thing } from "./acting.js";
import { makeFolder, openStudio, recordMatch, startBrowser, startServer } from "./harness.js";
import { ask, choose, hall, pause, reading, samples, soon, worldOf } from "./looking.js";

/** @typedef {import("./harness.js").Studio} Studio */

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser?.close());

/**
 * A test with a server and a page of its own, whose panel is open.
 * @param {string} name
 * @param {Parameters<typeof startServer>[0]} server
 * @param {(studio: Studio) => Promise<void>} test
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
function looking(name, server, test, options) {
  it(name, async () => {
    const started = await startServer(server);
    const studio = await openStudio(browser, started.url, options);
    try {
      await openPanel(studio);
      await test(studio);
    } catch (error) {
      await studio.screenshot(`failed-${name.replaceAll(/\W+/g, "-")}`);
      throw error;
    } finally {
      await studio.close();
      await started.stop();
    }
  });
}

const MAZE = { world: "worlds/maze.toml" };
const MATCH = { world: "worlds/f2000.toml" };
const HALL = hall();
const RANGE_RGB = [0x38, 0xd0, 0xff];

/** How far a point is from the edge of the nearest of some rectangles. @param {number[]} point @param {{ x: number, y: number, half: number[] }[]} shapes */
function distanceToEdge([x, y], shapes) {
  return Math.min(...shapes.map(({ x: cx, y: cy, half: [hx, hy] }) => {
    const [dx, dy] = [Math.abs(x - cx) - hx, Math.abs(y - cy) - hy];
    return dx > 0 || dy > 0 ? Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) : -Math.max(dx, dy);
  }));
}

describe("sensors", () => {
  // C9, S4
  looking("a laser's fan ends where the world's walls are", MAZE, async (studio) => {
    await pause(studio);
    const id = await choose(studio, "mouse");
    await soon(() => reading(studio, id, "laser"), Boolean);
    await soon(() => studio.pixelsLike(RANGE_RGB), (part) => part > 0.0002);
    const { points, fixtures, mount } = await studio.page.evaluate(async (id) => {
      // @ts-expect-error The page's own module.
      const { fanPoints } = await import("/sensorshapes.js");
      // @ts-expect-error The page puts it there.
      const { sensing, world } = window.touchline;
      const { sensor, features } = sensing.readings(id).get("laser");
      return { points: fanPoints(features[sensor.features[0].name]), fixtures: world.hello.fixtures, mount: sensor.mount };
    }, id);
    // Decoded once more, by the text of the protocol: two signed numbers, then 361 ranges in millimetres.
    const { lines: [line] } = await ask(studio, `GET ${id} laser`);
    const [first, step, ...ranges] = line.split(" ").slice(4).map(Number);
    assert.equal(ranges.length, 361);
    const hits = ranges.map((range, beam) => [range / 1000, (first | 0) * 1e-6 + beam * (step | 0) * 1e-8]).filter(([range]) => range < 9);
    assert.equal(points.length, hits.length);
    const { robots: [{ x, y, theta }] } = await worldOf(studio);
    for (const [at, [range, angle]] of hits.entries()) {
      assert.ok(Math.abs(points[at][0] - range * Math.cos(angle)) < 1e-6 && Math.abs(points[at][1] - range * Math.sin(angle)) < 1e-6);
      const [px, py] = [mount.x + points[at][0], mount.y + points[at][1]];
      const hit = [x + Math.cos(theta) * px - Math.sin(theta) * py, y + Math.sin(theta) * px + Math.cos(theta) * py];
      const off = distanceToEdge(hit, fixtures);
      // Five sigma of its noise, and half the last digit of the pose.
      assert.ok(off < 0.03, `beam ${at} ends ${off} m beside all walls`);
    }
    await studio.screenshot("laser");
    await studio.page.keyboard.press("i");
    await soon(() => studio.pixelsLike(RANGE_RGB), (part) => part < 0.00005);
  });

  // C9
  looking("are pushed only while they are seen", MATCH, async (studio) => {
    const { page } = studio;
    await noteLines(studio);
    const pushes = async () => (await said(studio)).map(({ line }) => line).filter((line) => line.startsWith("PUSH"));
    const { id, x, y } = await pause(studio).then(() => thing(studio, "blue-2")) ?? { id: 0, x: 0, y: 0 };
    await page.mouse.click(...(await onPage(studio, x, y)));
    await soon(pushes, (lines) => lines.length === 1);
    assert.equal((await pushes())[0], `PUSH ${id} 50 laser camera posts odometry sonar`);
    await page.getByRole("switch", { name: "Draw laser" }).click();
    await soon(pushes, (lines) => lines.at(-1) === `PUSH ${id} 50 camera posts odometry sonar`);
    // What is not drawn is pushed for its values.
    await page.locator("#inspector").getByRole("button", { name: "laser", exact: true }).click();
    await soon(pushes, (lines) => lines.at(-1) === `PUSH ${id} 50 laser camera posts odometry sonar`);
    // With the panel goes what only the panel showed.
    await page.keyboard.press("p");
    await soon(pushes, (lines) => lines.at(-1) === `PUSH ${id} 50 camera posts odometry sonar`);
    await setHidden(studio, true);
    await soon(pushes, (lines) => lines.at(-1) === `PUSH ${id} off`);
    await setHidden(studio, false);
    await soon(pushes, (lines) => lines.at(-1) === `PUSH ${id} 50 camera posts odometry sonar`);
    await page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      window.touchline.selection.select(null);
    });
    await soon(pushes, (lines) => lines.at(-1) === `PUSH ${id} off`);
    await ask(studio, "RESUME");
    const version = () => page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      return window.touchline.sensing.version;
    });
    const before = await version();
    await studio.nextStatus();
    assert.equal(await version(), before, "nothing comes any more");
  });

  // C9, S2
  looking("a camera's sighting of the ball lies near the ball", HALL, async (studio) => {
    await ask(studio, "ROBOT eye file=pioneer x=0 y=0 theta=0");
    await ask(studio, "ROBOT other file=scout x=2 y=0 theta=0");
    const id = await choose(studio, "eye");
    const seen = await soon(() => studio.page.evaluate(async (id) => {
      // @ts-expect-error The page's own module.
      const { sightingPoints } = await import("/sensorshapes.js");
      // @ts-expect-error The page puts it there.
      const camera = window.touchline.sensing.readings(id).get("camera");
      return camera ? { robots: sightingPoints(camera.features.robots), fieldOfView: camera.sensor.fieldOfView, x: camera.sensor.mount.x } : null;
    }, id), (seen) => seen?.robots.length > 0);
    // Five sigma of a distance with five per cent of error.
    assert.ok(Math.abs(seen.robots[0].x + seen.x - 2) < 0.5, JSON.stringify(seen));
    assert.equal(seen.fieldOfView, 0.85, "the robot file says how wide it sees");
  });

  // C9, S6
  looking("a rendered image is shown pixel by pixel", HALL, async (studio) => {
    const { page } = studio;
    await ask(studio, "ROBOT eye file=watcher x=0 y=0 theta=0");
    await ask(studio, "ROBOT other file=pioneer x=1 y=0.1 theta=0.5");
    await pause(studio);
    const id = await choose(studio, "eye");
    await page.getByRole("button", { name: "front-image" }).click();
    const { lines: [line] } = await ask(studio, `GET ${id} front-image`);
    const wanted = line.split(" ").slice(4).map(Number);
    assert.equal(wanted.length, 320 * 240);
    assert.ok(new Set(wanted).size > 50, "there is something to see");
    const shown = await soon(() => page.evaluate(() => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector("canvas.picture"));
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
      copy?.drawImage(canvas, 0, 0);
      const data = copy?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      return Array.from({ length: data.length / 4 }, (_, at) => data[4 * at] * 65536 + data[4 * at + 1] * 256 + data[4 * at + 2]);
    }), (/** @type {number[]} */ pixels) => pixels.some((pixel) => pixel > 0));
    assert.deepEqual(shown, wanted);
    await page.locator("canvas.picture").scrollIntoViewIfNeeded();
    await studio.screenshot("image");
  });

  // C9
  looking("22 lasers at once are drawn, and end with their switch", HALL, async (studio) => {
    const { page } = studio;
    for (let at = 0; at < 22; at += 1) {
      const [x, y] = [(at % 6) * 2.5 - 6.5, Math.floor(at / 6) * 3 - 4.5];
      await ask(studio, `ROBOT many-${at} file=pioneer x=${x} y=${y} theta=${at / 4}`);
    }
    const lasers = page.getByRole("switch", { name: "All robots' lasers" });
    await lasers.click();
    const count = () => page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      const { sensing } = window.touchline;
      return sensing.known.filter((/** @type {number} */ id) => sensing.readings(id).get("laser")?.features).length;
    });
    await soon(count, (lasers) => lasers === 22);
    const start = await studio.state();
    const rate = await page.evaluate(() => new Promise((resolve) => {
      let pictures = 0;
      const begin = performance.now();
      const next = () => {
        pictures += 1;
        if (performance.now() - begin < 2000) requestAnimationFrame(next);
        else resolve(pictures / 2);
      };
      requestAnimationFrame(next);
    }));
    await studio.until((state) => state.framesDrawn > start.framesDrawn + 20);
    console.log(`${rate} pictures a second with 22 lasers`);
    await studio.screenshot("lasers");
    await lasers.click();
    await soon(count, (lasers) => lasers === 0);
  });
});

describe("the past", () => {
  // W7, C9, S4
  looking("values are those of the tick that is looked at, bit by bit, and then those of now again", MATCH, async (studio) => {
    const { page } = studio;
    const id = await choose(studio, "blue-2");
    await page.locator("#inspector").getByRole("button", { name: "laser", exact: true }).click();
    // What the page is told live, by step.
    await page.evaluate((id) => {
      // @ts-expect-error The page puts it there.
      const { sensing, board } = window.touchline;
      const told = { ranges: new Map(), motion: new Map() };
      // @ts-expect-error For the test alone.
      window.told = told;
      sensing.addEventListener("reading", () => {
        const { step, features } = sensing.readings(id).get("laser") ?? {};
        if (features) told.ranges.set(step, [.../** @type {{ ranges: number[] }[]} */ (Object.values(features))[0].ranges]);
      });
      const ask = board.ask.bind(board);
      board.ask = async (/** @type {string} */ line, /** @type {unknown} */ options) => {
        const answer = await ask(line, options);
        const step = / step=(\d+)/.exec(answer.head)?.[1];
        if (line.startsWith("MOTION") && step) told.motion.set(Number(step), answer.lines.concat(/ forward=\S+ left=\S+ turn=\S+/.exec(answer.head)?.[0] ?? ""));
        return answer;
      };
    }, id);
    const told = (/** @type {"ranges" | "motion"} */ what) => page.evaluate((what) =>
      // @ts-expect-error For the test alone.
      [...window.told[what]].at(-8) ?? null, what);
    await soon(() => told("motion"), Boolean);
    const [[scanStep, ranges], [motionStep, motion]] = [await soon(() => told("ranges"), Boolean), await told("motion")];
    await studio.until(({ step }) => step > scanStep + 100);
    const lookAt = async (/** @type {number} */ tick) => {
      // @ts-expect-error The page puts it there.
      await page.evaluate((tick) => window.touchline.playhead.goTo(tick), tick);
      await studio.until((state) => state.looking === tick && state.step === tick);
    };
    await lookAt(scanStep);
    const then = await soon(() => reading(studio, id, "laser"), Boolean);
    assert.deepEqual(then, { step: scanStep, ranges });
    await studio.screenshot("past-values");
    // Time stands in the past, so whatever comes is of that tick.
    await studio.nextStatus();
    assert.equal((await reading(studio, id, "laser"))?.step, scanStep);
    await lookAt(motionStep);
    const answer = await ask(studio, `MOTION ${id}`);
    assert.match(answer.head, new RegExp(` step=${motionStep} `));
    const shown = / forward=\S+ left=\S+ turn=\S+/.exec(answer.head)?.[0] ?? "";
    assert.deepEqual([...answer.lines, shown], motion);
    const { lines: heard } = await ask(studio, `HEAR ${id}`);
    assert.ok(heard.every((line) => Number(/ step=(\d+)/.exec(line)?.[1] ?? 0) <= motionStep), "nothing of later");
    // What the world is now is told as ever.
    assert.ok(Number(/ step=(\d+)/.exec((await ask(studio, "WORLD")).head)?.[1]) > motionStep);
    await page.keyboard.press("Escape");
    const { step } = await studio.until((state) => state.looking === null && state.step > motionStep + 100);
    await soon(() => reading(studio, id, "laser"), (now) => now?.step >= step);
  });
});

/** As if the tab went to the background. @param {Studio} studio @param {boolean} isHidden */
function setHidden({ page }, isHidden) {
  return page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

describe("motion", () => {
  // C9
  looking("shows the command and what becomes of it, and plots both", HALL, async (studio) => {
    const { page } = studio;
    await ask(studio, "ROBOT probe file=pioneer x=-3 y=0 theta=0");
    await choose(studio, "probe");
    const cell = (/** @type {number} */ column) => page.getByRole("row", { name: "forward" }).getByRole("button").nth(column);
    await cell(0).click();
    await cell(1).click();
    // It is fast within a quarter of a second: time stands, so that the page asks on the way.
    await pause(studio);
    await ask(studio, "TWIST probe 0.4 0 0");
    await ask(studio, "STEP 12");
    await soon(() => samples(studio), ([, does]) => does?.values.at(-1) > 0.02);
    await ask(studio, "RESUME");
    await soon(() => cell(0).innerText(), (text) => text.endsWith("0.400 m/s"));
    await soon(() => cell(1).innerText(), (text) => text.endsWith("0.400 m/s"));
    const { robots } = await worldOf(studio);
    assert.ok(Math.abs(robots[0].forward - 0.4) < 0.002, "it is true");
    const [told, does] = await soon(() => samples(studio), ([told]) => told?.values.length >= 20);
    for (const { times, values } of [told, does]) {
      assert.equal(times.length, values.length);
      assert.ok(times.every((/** @type {number} */ time, /** @type {number} */ at) => at === 0 || time > times[at - 1]), "time rises");
      assert.ok((times.at(-1) ?? 0) - times[0] <= 30);
    }
    assert.equal(told.values.at(-1), 0.4);
    assert.ok(does.values.some((/** @type {number} */ value) => value > 0.02 && value < 0.38), "it speeds up by and by");
    const plot = page.getByRole("img", { name: /over the last 30 seconds, in m\/s/ });
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width - 12, box.y + 50);
    await page.getByText(/forward \(command\) 0\.400, forward \(achieved\) 0\.\d+ m\/s/).waitFor();
    await studio.screenshot("plot");
    await page.getByRole("button", { name: "forward (command)", exact: true }).click();
    await soon(() => samples(studio), (all) => all.length === 1);
    // The other one goes with the choice.
    await choose(studio, null);
    assert.deepEqual(await samples(studio), []);
  });

  looking("samples of what has not happened go with a reset", MATCH, async (studio) => {
    await choose(studio, "blue-2");
    await studio.page.getByRole("row", { name: "turn" }).getByRole("button").last().click();
    const [{ times }] = await soon(() => samples(studio), ([trace]) => trace?.times.length > 8);
    // Time stands, so that it does not come to where it was before anybody looks.
    await pause(studio);
    await ask(studio, "RESET");
    const [trace] = await soon(() => samples(studio), ([trace]) => trace?.times.length > 0 && trace.times.at(-1) < times[times.length - 1]);
    assert.ok(trace.times.every((/** @type {number} */ time) => time <= trace.times.at(-1)));
  });
});

describe("radio and annotations", () => {
  // C9
  looking("messages that are heard and said", HALL, async (studio) => {
    const { page } = studio;
    await ask(studio, "ROBOT one file=pioneer x=-1 y=0");
    await ask(studio, "ROBOT two file=pioneer x=1 y=0");
    await choose(studio, "one");
    await page.locator("#inspector summary", { hasText: "Radio" }).click();
    await ask(studio, "SAY one hello there");
    await ask(studio, 'SAY two "I take \\"it\\""');
    const list = page.getByRole("list", { name: "Radio messages" });
    await list.getByText('I take "it"').waitFor();
    const texts = await list.getByRole("listitem").allInnerTexts();
    assert.match(texts[0], /^\d+\.\d\d s · two I take "it"$/);
    assert.match(texts[1], /^\d+\.\d\d s · said hello there$/);
    assert.equal(texts.length, 2);
  });

  // C9
  looking("annotations are a tree, and their drawings have switches", HALL, async (studio) => {
    const { page } = studio;
    await ask(studio, "ROBOT one file=pioneer x=-1 y=0");
    await ask(studio, 'ANNOTATE one plan {"line": [[0, 0], [3, 2]], "colour": "#ff00ff", "cost": 1.25}');
    await ask(studio, 'ANNOTATE one mood {"role": "attacker", "since_s": 3.5}');
    await choose(studio, "one");
    await page.locator("#inspector summary", { hasText: "Annotations" }).click();
    const tree = page.locator(".tree");
    await tree.getByText("plan").click();
    await tree.getByText("1.250").waitFor();
    await tree.getByText("mood").click();
    await tree.getByText("attacker").waitFor();
    // What is open stays open when a value changes.
    await ask(studio, 'ANNOTATE one mood {"role": "keeper", "since_s": 0}');
    await tree.getByText("keeper").waitFor();
    await soon(() => studio.pixelsLike([255, 0, 255]), (part) => part > 0.0002);
    for (const name of ["Draw layer plan of all robots", "Draw what one thinks"]) {
      const layer = page.getByRole("switch", { name });
      await layer.click();
      await soon(() => studio.pixelsLike([255, 0, 255]), (part) => part === 0);
      await layer.click();
      await soon(() => studio.pixelsLike([255, 0, 255]), (part) => part > 0.0002);
    }
    assert.equal(await page.getByRole("switch", { name: "Draw layer mood" }).count(), 0, "a value is no drawing");
    await ask(studio, "ANNOTATE one plan null");
    await soon(() => studio.pixelsLike([255, 0, 255]), (part) => part === 0);
  });
});

describe("everywhere", () => {
  // C9, G1: keepaway pays each keeper the time, so in its first episode, which lasts for longer than this, what is shown is what the clock says.
  looking("what an agent is paid is shown, and plotted", { world: "worlds/keepaway.toml", more: ["--speed", "lockstep"] }, async (studio) => {
    const isTheTime = (/** @type {{ times: number[], values: number[] }} */ { times, values }) =>
      assert.ok(times.every((time, at) => Math.abs(values[at] - time) < 1e-6), `${values} at ${times}`);
    const reward = studio.page.locator("#inspector").getByRole("button", { name: /^reward/ });
    await choose(studio, "left-2");
    await ask(studio, "STEP");
    await reward.click();
    let [trace] = await samples(studio);
    while (trace.times.length < 10) {
      const { step } = await studio.state();
      await ask(studio, "STEP");
      const { time } = await studio.until((state) => state.step > step);
      [trace] = await soon(() => samples(studio), ([trace]) => trace.times.at(-1) === time);
    }
    isTheTime(trace);
    assert.equal(trace.key, "game.reward");

    // It is known of another one too, of before anybody asked.
    const { time } = await studio.state();
    await choose(studio, "left-3");
    await reward.click();
    const [other] = await samples(studio);
    assert.ok(other.times[0] < time - 0.5 && other.values.length > 5, `known from ${other.times[0]} s on, at ${time} s`);
    isTheTime(other);
  });

  // C9
  it("a recording is asked as if it were live", async () => {
    const server = await startServer({ replay: recordMatch(makeFolder(), 60) });
    const studio = await openStudio(browser, server.url);
    await openPanel(studio);
    const id = await choose(studio, "blue-2");
    const first = await soon(() => reading(studio, id, "laser"), Boolean);
    await studio.page.getByRole("row", { name: "forward" }).getByRole("button").nth(1).click();
    await soon(() => samples(studio), ([trace]) => trace?.values.length > 10 && trace.values.some((/** @type {number} */ value) => value !== 0));
    const later = await soon(() => reading(studio, id, "laser"), (later) => later.step > first.step + 20);
    assert.notDeepEqual(later.ranges, first.ranges);
    await studio.screenshot("replay");
    await studio.close();
    await server.stop();
  });

  // C9
  looking("on a phone by touch, in the dark", MATCH, async (studio) => {
    const { page } = studio;
    const id = await choose(studio, "blue-2");
    await page.locator("#robots > summary").tap();
    await page.locator("#inspector").scrollIntoViewIfNeeded();
    await page.getByRole("row", { name: "forward" }).getByRole("button").first().tap();
    await soon(() => samples(studio), ([trace]) => trace?.values.length > 3);
    await soon(() => reading(studio, id, "laser"), Boolean);
    const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= seen, `${wide} > ${seen}`);
    await studio.screenshot("inspector-phone");
  }, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: "dark" });
});
