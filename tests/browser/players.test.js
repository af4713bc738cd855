// Players from the studio's menu, and a person who drives. (Y1, Y2)

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { noteLines, onPage, openPanel, said, thing, untilGone, untilThing } from "./acting.js";
import { openStudio, startBrowser, startServer } from "./harness.js";
import { ask, pause, soon } from "./looking.js";

/** @typedef {import("./harness.js").Studio} Studio */
/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser?.close());

/**
 * A test with a server and a page of its own, whose panel is open.
 * @param {string} name
 * @param {string} world
 * @param {(studio: Studio, server: Server) => Promise<void>} test
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
function acting(name, world, test, options) {
  it(name, async () => {
    const server = await startServer({ world: `worlds/${world}.toml` });
    const studio = await openStudio(browser, server.url, options);
    try {
      await openPanel(studio);
      await test(studio, server);
    } catch (error) {
      await studio.screenshot(`failed-${name.replaceAll(/\W+/g, "-")}`);
      throw error;
    } finally {
      await studio.close();
      await server.stop();
    }
  });
}

const SUBMIT = { name: "Start", exact: true };

describe("the menu of players", () => {
  // Y2
  acting("starts a player with its parameters where it is told to, and stops it", "empty", async (studio) => {
    const { page } = studio;
    const form = page.getByRole("form", { name: "Start a player" });
    await form.getByLabel("Player").selectOption("wanderer");
    await form.getByLabel("Robot").selectOption("scout");
    await form.getByLabel("Team").selectOption("yellow");
    assert.equal(await form.getByLabel("Name").inputValue(), "yellow-1", "a name that is free");
    await form.getByLabel("Name").fill("walker");
    await form.getByRole("button", { name: "Pick a place" }).click();
    await page.mouse.click(...(await onPage(studio, -1, 0.5)));
    assert.ok(Math.abs(Number(await form.getByLabel("x, m").inputValue()) + 1) < 0.02);
    await form.getByLabel("Heading, degrees").fill("90");
    assert.equal(await form.getByLabel("speed_fraction").getAttribute("placeholder"), "0.5", "its own default");
    await form.getByLabel("speed_fraction").fill("0.05");
    await studio.screenshot("start-a-player");
    // While time stands it is seen where it was put, however late.
    await pause(studio);
    await noteLines(studio);
    await form.getByRole("button", SUBMIT).click();
    const start = await untilThing(studio, "walker", ({ player }) => player === "wanderer");
    assert.ok(Math.abs(start.x + 1) < 0.1 && Math.abs(start.y - 0.5) < 0.1 && Math.abs(start.theta - Math.PI / 2) < 0.2);
    assert.match((await said(studio))[0].line, /params="\{\\"speed_fraction\\":0\.05\}"$/, "what is as ever is not said");
    await ask(studio, "RESUME");
    const later = await untilThing(studio, "walker", ({ time }) => time > start.time + 1.5);
    const moved = Math.hypot(later.x - start.x, later.y - start.y);
    const passed = later.time - start.time;
    assert.ok(moved > 0.01 && moved / passed < 0.13, `so slow that it went ${moved} m in ${passed} s`);
    const stop = page.getByRole("button", { name: "Stop walker" });
    await stop.click();
    assert.equal(await stop.textContent(), "Sure?", "it asks");
    await stop.click();
    await untilGone(studio, "walker");
    await page.getByText("There are none.").waitFor();
  });

  // Y2
  acting("says what is wrong with a parameter beside the form, and starts nothing", "empty", async (studio) => {
    const { page } = studio;
    const form = page.getByRole("form", { name: "Start a player" });
    await form.getByLabel("Player").selectOption("goalkeeper");
    await form.getByLabel("policy").selectOption("still");
    await form.getByLabel("level").fill("9");
    await form.getByRole("button", SUBMIT).click();
    const alert = form.getByRole("alert");
    await alert.getByText("level: 9 is greater than the maximum of 5").waitFor();
    await form.getByLabel("level").fill("much");
    await form.getByRole("button", SUBMIT).click();
    await alert.getByText('level: "much" is not of type "integer"').waitFor();
    await form.getByLabel("level").fill("2");
    await form.getByLabel("Name").fill("no name");
    await form.getByRole("button", SUBMIT).click();
    await alert.getByText("1 to 32 of A-Z").waitFor();
    assert.equal(await page.getByText("There are none.").count(), 1);
    await form.getByLabel("Name").fill("stone");
    await form.getByRole("button", SUBMIT).click();
    await untilThing(studio, "stone", ({ player }) => player === "goalkeeper");
    assert.equal(await alert.count(), 0, "what was wrong is no more");
  });

  acting("says which robot it has made, though another name is suggested by then", "empty", async (studio) => {
    const { page } = studio;
    const form = page.getByRole("form", { name: "Start a player" });
    await form.getByLabel("Player").selectOption("wanderer");
    await form.getByLabel("Robot").selectOption("scout");
    await form.getByLabel("Team").selectOption("yellow");
    // The board's answer is heard after the picture has shown the robot.
    await page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      const { board, world } = window.touchline;
      const ask = board.ask.bind(board);
      board.ask = async (/** @type {string} */ line, /** @type {unknown} */ options) => {
        const answer = await ask(line, options);
        while (line.startsWith("START") && world.objects.size === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
        return answer;
      };
    });
    await form.getByRole("button", SUBMIT).click();
    await form.getByText("yellow-1 is there.").waitFor();
    await soon(() => form.getByLabel("Name").inputValue(), (name) => name === "yellow-2");
  });

  // Y2
  acting("can be used by the keyboard alone", "empty", async (studio) => {
    const { page } = studio;
    const tab = async (/** @type {string} */ id) => {
      for (let presses = 0; presses < 80; presses += 1) {
        if ((await page.evaluate(() => document.activeElement?.id)) === id) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`Tab does not reach ${id}`);
    };
    await tab("start-plugin");
    await page.keyboard.type("wand");
    await tab("start-robot");
    await page.keyboard.type("sco");
    await tab("start-name");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("npc");
    await page.keyboard.press("Enter");
    await untilThing(studio, "npc", ({ player }) => player === "wanderer");
    assert.equal((await studio.state()).status.paused, false, "what is written is no key of the page's");
  });

  acting("has a name of its own for every control", "localisation", async ({ page }) => {
    await page.getByRole("button", { name: "Stop seeker" }).waitFor();
    const unnamed = await page.evaluate(() => {
      const names = new Set();
      return [...document.querySelectorAll("#side :is(button, input, select)")].filter((control) => {
        const labels = /** @type {HTMLInputElement} */ (control).labels ?? [];
        const name = control.ariaLabel ?? labels[0]?.textContent ?? control.textContent ?? "";
        const isNew = name.trim() !== "" && !names.has(`${control.closest(".section")?.id} ${name}`);
        names.add(`${control.closest(".section")?.id} ${name}`);
        return !isNew;
      }).map((control) => control.outerHTML);
    });
    assert.deepEqual(unnamed, []);
  });
});

describe("a person who drives", () => {
  /** @param {Studio} studio @param {string} name */
  const drive = async (studio, name) => {
    await studio.page.getByRole("button", { name: `Drive ${name}` }).click();
    return untilThing(studio, name, ({ taken }) => taken);
  };

  // Y2
  acting("takes a robot over, and its player is silent until it is given back", "localisation", async (studio) => {
    const { page } = studio;
    const taken = await drive(studio, "other");
    // It stands, though its player would drive on.
    const standing = await untilThing(studio, "other", ({ time }) => time > taken.time + 0.5);
    const still = await untilThing(studio, "other", ({ time }) => time > standing.time + 0.7);
    assert.deepEqual([still.x, still.y, still.theta], [standing.x, standing.y, standing.theta]);

    await page.keyboard.down("w");
    const ahead = await untilThing(studio, "other", ({ x, y }) => Math.hypot(x - still.x, y - still.y) > 0.3);
    await studio.screenshot("driving");
    await page.keyboard.up("w");
    const along = Math.atan2(ahead.y - still.y, ahead.x - still.x) - still.theta;
    assert.ok(Math.abs(Math.atan2(Math.sin(along), Math.cos(along))) < 0.05, "straight ahead");
    await page.keyboard.down("ArrowRight");
    await untilThing(studio, "other", ({ theta }) => Math.sin(ahead.theta - theta) > 0.3);
    await page.keyboard.up("ArrowRight");
    assert.equal((await studio.state()).view.fitted, true, "arrows move the robot, not the view");

    await page.keyboard.press("Escape");
    const free = await untilThing(studio, "other", (robot) => !robot.taken && robot.player === "wanderer");
    await untilThing(studio, "other", ({ x, y }) => Math.hypot(x - free.x, y - free.y) > 0.1);
  });

  // Y2
  acting("hands his robot to a player", "empty", async (studio) => {
    const { page } = studio;
    await person(studio, "scout");
    await page.keyboard.press("Escape");
    await untilThing(studio, "me-1", ({ taken }) => !taken);
    const form = page.getByRole("form", { name: "Start a player" });
    await form.getByLabel("Player").selectOption("wanderer");
    await form.getByLabel("Robot").selectOption("me-1");
    assert.equal(await form.getByLabel("x, m").isVisible(), false, "it has its place");
    await form.getByRole("button", SUBMIT).click();
    const start = await untilThing(studio, "me-1", ({ player }) => player === "wanderer");
    await untilThing(studio, "me-1", ({ x, y }) => Math.hypot(x - start.x, y - start.y) > 0.1);
  });

  // Y2
  acting("says little: on a change, and now and then while a key is held", "empty", async (studio) => {
    const { page } = studio;
    await person(studio, "omni3");
    await noteLines(studio);
    await page.keyboard.down("q");
    const start = await thing(studio, "me-1");
    assert.ok(start);
    await untilThing(studio, "me-1", ({ time }) => time > start.time + 1.5);
    for (const key of ["w", "a", "s", "d"]) {
      await page.keyboard.down(key);
      await page.keyboard.up(key);
    }
    await page.keyboard.up("q");
    const stop = await thing(studio, "me-1");
    await untilThing(studio, "me-1", ({ time }) => time > (stop?.time ?? 0) + 1);
    const lines = (await said(studio)).filter(({ line }) => line.startsWith("TWIST"));
    assert.match(lines[0].line, /^TWIST \d+ 0 0\.\d+ 0$/, "sideways");
    assert.match(lines.at(-1)?.line ?? "", /^TWIST \d+ 0 0 0$/, "and it stands");
    const pauses = lines.slice(1).map(({ at }, before) => at - lines[before].at);
    assert.ok(pauses.every((ms) => ms >= 49), `${pauses}`);
    // Ten keys went down or up; who holds one says so twice a second.
    const took = (lines.at(-1)?.at ?? 0) - lines[0].at;
    assert.ok(lines.length > 3 && lines.length <= 11 + took / 500, `${lines.length} lines in ${took} ms`);
  });

  // Y2
  acting("stops when somebody looks elsewhere", "empty", async (studio) => {
    const { page } = studio;
    const start = await person(studio, "pioneer");
    await page.keyboard.down("w");
    await untilThing(studio, "me-1", ({ x, y }) => Math.hypot(x - start.x, y - start.y) > 0.1);
    await noteLines(studio);
    await page.evaluate(() => window.dispatchEvent(new Event("blur")));
    // Without waiting for anything: the last word before the page sleeps (its own questions, MOTION, go on).
    const lines = (await said(studio)).filter(({ line }) => line.startsWith("TWIST"));
    assert.match(lines.at(-1)?.line ?? "", /^TWIST \d+ 0 0 0$/);
  });

  // C2, Y2
  acting("gives a robot back, and takes his own with him, when his page is closed", "localisation", async (studio, server) => {
    const other = await openStudio(browser, server.url);
    await openPanel(other);
    await person(other, "scout", []);
    await drive(other, "seeker");
    await untilThing(studio, "me-1", ({ player }) => player === null);
    await untilThing(studio, "seeker", ({ taken }) => taken);
    await studio.page.getByText("taken by studio").waitFor();
    await other.close();
    await untilGone(studio, "me-1");
    const free = await untilThing(studio, "seeker", ({ taken }) => !taken);
    await untilThing(studio, "seeker", ({ x, y }) => Math.hypot(x - free.x, y - free.y) > 0.05);
  });

  // Y2
  acting("is told when another operator gives his robot back", "localisation", async (studio, server) => {
    await drive(studio, "other");
    const desk = await openStudio(browser, server.url);
    await openPanel(desk);
    await untilThing(desk, "other", ({ taken }) => taken);
    await desk.page.getByRole("button", { name: "Give back other" }).click();
    await studio.page.getByText("Somebody gave other back.").waitFor();
    await desk.close();
  });

  // Y2
  acting("is told so when no picture of his hold came through", "localisation", async (studio) => {
    // As on a busy machine: between two pictures it was taken and given back.
    await studio.page.evaluate(() => {
      // @ts-expect-error For the test alone.
      const { board } = window.touchline;
      const ask = board.ask.bind(board);
      board.ask = async (/** @type {string} */ line, /** @type {unknown} */ options) => {
        const reply = await ask(line, options);
        if (line.startsWith("TAKE")) await ask(line.replace("TAKE", "GIVE"), options);
        return reply;
      };
    });
    await studio.page.getByRole("button", { name: "Drive other" }).click();
    await studio.page.getByText("Somebody gave other back.").waitFor();
  });

  // Y2, R5
  acting("drives and kicks by a gamepad", "empty", async (studio) => {
    const { page } = studio;
    await page.evaluate(() => {
      const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
      const pad = { id: "Test pad", index: 0, connected: true, mapping: "standard", axes: [0, 0, 0, 0], buttons, timestamp: 0 };
      Object.defineProperty(navigator, "getGamepads", { value: () => [null, pad] });
      // @ts-expect-error For the test alone.
      window.pad = pad;
    });
    const hold = (/** @type {number[]} */ axes, kick = false) => page.evaluate(([axes, kick]) => {
      // @ts-expect-error For the test alone.
      const { pad } = window;
      pad.axes = axes;
      pad.buttons[0].pressed = kick;
    }, /** @type {const} */ ([axes, kick]));
    const start = await person(studio, "omni3");
    await page.getByText("Gamepad: Test pad").waitFor();
    await hold([0, -1, 0, 0]);
    await untilThing(studio, "me-1", ({ x }) => x > start.x + 0.2);
    await hold([-1, 0, 0, 0]);
    await untilThing(studio, "me-1", ({ y }) => y > start.y + 0.2);
    await hold([0, 0, 1, 0]);
    await untilThing(studio, "me-1", ({ theta }) => Math.sin(theta) < -0.3);
    await hold([0.1, 0.1, -0.1, 0]);
    await noteLines(studio);
    await hold([0, 0, 0, 0], true);
    await soon(() => said(studio), (lines) => lines.some((/** @type {{ line: string }} */ { line }) => /^MANIPULATE \d+ kicker kick$/.test(line)));
    await studio.nextStatus();
    assert.equal((await said(studio)).filter(({ line }) => line.startsWith("MANIPULATE")).length, 1, "once for each press");
  });

  acting("has a pad for fingers on a phone", "localisation", async (studio) => {
    const { page } = studio;
    const start = await drive(studio, "other");
    const ahead = page.getByRole("button", { name: "Forward" });
    await ahead.waitFor();
    await studio.screenshot("phone-driving");
    const box = await ahead.boundingBox();
    assert.ok(box && box.width >= 40 && box.height >= 40 && box.y + box.height <= 844, "large enough, and in sight");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const touch = await page.context().newCDPSession(page);
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y, id: 0 }] });
    await untilThing(studio, "other", (now) => Math.hypot(now.x - start.x, now.y - start.y) > 0.15);
    await noteLines(studio);
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await soon(() => said(studio), (lines) => lines.some((/** @type {{ line: string }} */ { line }) => /^TWIST \d+ 0 0 0$/.test(line)));
  }, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true, colorScheme: "dark" });

  /**
   * Makes the robot "me-1" for whoever sits before the page, who drives it at once.
   * @param {Studio} studio
   * @param {string} file
   * @param {string[]} place metres; empty leaves it to the server
   */
  async function person(studio, file, [x = "", y = ""] = ["-1", "0"]) {
    const form = studio.page.getByRole("form", { name: "Start a player" });
    await form.getByLabel("Player").selectOption({ label: "a person: keyboard or gamepad" });
    await form.getByLabel("Robot").selectOption(file);
    await form.getByLabel("Name").fill("me-1");
    await form.getByLabel("x, m").fill(x);
    await form.getByLabel("y, m").fill(y);
    await form.getByRole("button", SUBMIT).click();
    return untilThing(studio, "me-1", ({ taken, player }) => taken && player === null);
  }
});
