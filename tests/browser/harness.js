// Starts the built server and a browser, and watches over what the page must never do.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, it } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CHROMIUMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** Nothing takes this long unless it is broken, however busy the machine is. */
export const BROKEN_AFTER_MS = 300_000;

/** Where screenshots go; they are for people to look at. */
export const SCREENSHOTS = process.env.TOUCHLINE_SCREENSHOTS ?? mkdtempSync(path.join(tmpdir(), "touchline-studio-"));

/** The program: `TOUCHLINE_BIN`, or the one that was built last. */
export function program() {
  if (process.env.TOUCHLINE_BIN) return process.env.TOUCHLINE_BIN;
  const target = process.env.CARGO_TARGET_DIR ?? path.join(ROOT, "target");
  const built = ["debug", "release"].map((profile) => path.join(target, profile, "touchline")).filter((file) => existsSync(file));
  const newest = built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  assert.ok(newest, "the server is not built: cargo build --workspace");
  return newest;
}

/** A folder of its own for files that tests make; it goes with the tests. */
export function makeFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), "touchline-files-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Runs the program to its end; gives what it says, and throws if it fails.
 * @param {...string} words
 */
export function touchline(...words) {
  return execFileSync(program(), words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/**
 * A keys file with one key of this role: what a server is told, and the key.
 * @param {string} role
 */
export function makeKey(role) {
  const file = path.join(makeFolder(), "keys.toml");
  return { more: ["--keys", file], key: touchline("key", file, role, "--role", role).trim() };
}

/**
 * Records a match with a goal in it; gives the file.
 * @param {string} folder
 * @param {number} secs
 */
export function recordMatch(folder, secs) {
  for (let seed = 1; seed <= 30; seed += 1) {
    const file = path.join(folder, `match-${seed}.mcap`);
    touchline("run", "worlds/f2000.toml", "--for", String(secs), "--seed", String(seed), "--record", file);
    if (JSON.parse(touchline("log", "info", file, "--json")).goals > 0) return file;
  }
  throw new Error(`no goal in thirty matches of ${secs} s`);
}

/**
 * A server with free ports, of a world, or of a recording.
 * @param {{ world?: string, robots?: string, replay?: string, recordings?: string, studio?: string, more?: string[], binary?: string, isDiskFull?: boolean }} [options]
 *   `robots` is the folder of robot files, `more` what else is said on the command line, `binary` another program; on a full
 *   disk no file becomes larger than some blocks
 */
export async function startServer({ world = "worlds/f2000.toml", robots, replay, recordings, studio = "127.0.0.1:0", more = [], binary = program(), isDiskFull } = {}) {
  const folders = [...(robots ? ["--robots", robots] : []), ...(recordings ? ["--recordings", recordings] : [])];
  const what = replay ? ["replay", replay] : ["serve", world, ...folders];
  const words = [binary, ...what, "--board", "127.0.0.1:0", "--studio", studio, "--ready-json", ...more];
  const [command, ...rest] = isDiskFull ? ["sh", "-c", 'trap "" XFSZ; ulimit -f 400; exec "$0" "$@"', ...words] : words;
  const child = spawn(
    command,
    rest,
    { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  child.stderr.on("data", (data) => (said += data));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  /** @type {{ event: string, studio: string, board: string }} */
  const ready = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the server ended with code ${code}:\n${said}`)));
    createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line)));
  });
  assert.equal(ready.event, "ready");
  // A test that fails before it stops its server must not keep the whole run alive.
  const handles = [child, /** @type {import("node:net").Socket} */ (child.stdout), /** @type {import("node:net").Socket} */ (child.stderr)];
  handles.forEach((handle) => handle.unref());
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  return {
    url: ready.studio,
    /** The message board's address. */
    board: ready.board,
    /** Lets it stand still as a whole, or go on. @param {boolean} isFrozen */
    freeze(isFrozen) {
      child.kill(isFrozen ? "SIGSTOP" : "SIGCONT");
    },
    async stop() {
      handles.forEach((handle) => handle.ref());
      // Who stands still hears nothing.
      child.kill("SIGCONT");
      child.kill("SIGTERM");
      await ended;
      process.removeListener("exit", kill);
    },
  };
}

export async function startBrowser() {
  const executablePath = process.env.CHROMIUM ?? CHROMIUMS.find((file) => existsSync(file));
  assert.ok(executablePath, "chromium is not installed: apt-get install chromium");
  // The sandbox needs rights that a container does not give; the page is our own.
  const args = ["--no-sandbox"];
  // Chromium takes a page of files for one from far away.
  if (process.env.TOUCHLINE_PAGE) args.push("--disable-features=LocalNetworkAccessChecks");
  return chromium.launch({ executablePath, args, timeout: BROKEN_AFTER_MS });
}

/**
 * A page that is drawing; whatever it logs as an error, and whatever it asks of another host, fails `close`.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {import("playwright-core").BrowserContextOptions & { key?: string }} [options] with the key that is typed
 */
export async function openStudio(browser, url, { key, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(BROKEN_AFTER_MS);
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  const { host } = new URL(url);
  for (const event of /** @type {const} */ (["request", "websocket"])) {
    // @ts-expect-error The two events differ in their type only.
    page.on(event, (/** @type {{ url(): string }} */ request) => {
      const { protocol, host: asked } = new URL(request.url());
      if (protocol !== "data:" && asked !== host) complaints.push(`request to ${request.url()}`);
    });
  }
  if (process.env.TOUCHLINE_PAGE) await servePage(page, url, process.env.TOUCHLINE_PAGE);
  const studio = new Studio(page, complaints);
  try {
    await page.goto(url);
    if (key !== undefined) {
      await page.getByLabel("Key", { exact: true }).and(page.locator("input")).fill(key);
      await page.keyboard.press("Enter");
    }
    await studio.untilDrawn();
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new Error(`the page does not open: ${message}\nit said: ${complaints.join("; ") || "nothing"}`, { cause: error });
  }
  return studio;
}

/**
 * The page's files come from a folder, rather than from the program: a change of theirs is tried without a build.
 * @param {import("playwright-core").Page} page
 * @param {string} url
 * @param {string} folder
 */
async function servePage(page, url, folder) {
  await page.route((asked) => asked.origin === new URL(url).origin && existsSync(path.join(folder, asked.pathname)), async (route) => {
    const { pathname } = new URL(route.request().url());
    const { headers } = await fetch(url);
    const policy = headers.get("content-security-policy") ?? "";
    await route.fulfill({ path: path.join(folder, pathname === "/" ? "index.html" : pathname), headers: { "content-security-policy": policy } });
  });
}

/**
 * A browser and a server for all tests of this file or group: there before the first, gone after the last.
 * @param {Parameters<typeof startServer>[0]} [options]
 */
export function setUp(options) {
  const made = /** @type {{ browser: import("playwright-core").Browser, server: Awaited<ReturnType<typeof startServer>> }} */ ({});
  before(async () => {
    made.browser = await startBrowser();
    made.server = await startServer(options);
  });
  after(async () => {
    await made.browser?.close();
    await made.server?.stop();
  });
  return made;
}

/**
 * A test with a page of its own, which must not have complained at the end.
 * @param {string} name
 * @param {() => { browser: import("playwright-core").Browser, server: { url: string } }} where asked when the test runs
 * @param {(studio: Studio) => Promise<void>} test
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export function withPage(name, where, test, options) {
  it(name, async () => {
    const { browser, server } = where();
    const studio = await openStudio(browser, server.url, options);
    try {
      await test(studio);
    } catch (error) {
      await studio.screenshot(`failed-${name.replaceAll(/\W+/g, "-")}`);
      console.error(`pictures are in ${SCREENSHOTS}; the page said:`, studio.complaints);
      throw error;
    }
    await studio.close();
  });
}

/** One page, as a test sees it. */
export class Studio {
  /**
   * @param {import("playwright-core").Page} page
   * @param {string[]} complaints
   */
  constructor(page, complaints) {
    this.page = page;
    this.complaints = complaints;
  }

  /** What the page knows. */
  state() {
    return this.page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      const { world, camera, painter } = window.touchline;
      const newest = world.newest;
      return {
        step: /** @type {number} */ (newest?.step ?? -1),
        run: /** @type {number} */ (newest?.run ?? -1),
        time: /** @type {number} */ (newest?.time ?? -1),
        frames: /** @type {number} */ (newest?.sequence ?? 0),
        status: /** @type {import("../../server/gateways/studio/page/protocol.js").Status & { type?: string }} */ (world.status),
        objects: /** @type {{ id: number, kind: string, name: string }[]} */ ([...world.objects.values()]),
        teams: /** @type {{ name: string }[]} */ (world.hello?.teams ?? []),
        role: /** @type {string} */ (world.hello?.role ?? ""),
        looking: /** @type {number | null} */ (world.looking),
        framesDrawn: /** @type {number} */ (painter.framesDrawn),
        view: {
          scale: /** @type {number} */ (camera.scale),
          x: /** @type {number} */ (camera.x),
          y: /** @type {number} */ (camera.y),
          turned: /** @type {boolean} */ (camera.turned),
          fitted: /** @type {boolean} */ (camera.fitted),
        },
      };
    });
  }

  /**
   * Waits for a state. (Playwright's own `waitForFunction` needs `eval`, which the page forbids.)
   * @param {(state: Awaited<ReturnType<Studio["state"]>>) => boolean} isReached
   */
  async until(isReached) {
    const giveUpAt = Date.now() + BROKEN_AFTER_MS;
    for (;;) {
      const state = await this.state();
      if (isReached(state)) return state;
      if (Date.now() > giveUpAt) throw new Error(`not reached: ${isReached}\nlast: ${JSON.stringify(state)}`);
      await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
  }

  /** Waits until the page has heard everything that a page is told first, has drawn it, and the view stays. */
  async untilDrawn() {
    // Until it has come, the page's own guess of a status, which has no type, stands in its place.
    const known = await this.until((state) => state.step >= 0 && state.status.type === "status");
    // With what the head says its height changes, and so the view: in the picture after that.
    let [last, now] = ["", await this.#layout()];
    while (now !== last) {
      await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      [last, now] = [now, await this.#layout()];
    }
    await this.until((state) => state.framesDrawn > 0 && state.frames >= known.frames);
  }

  /** How large the field is on the page, and what is seen of it. */
  #layout() {
    return this.page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      const { scale, x, y, turned, width, height } = window.touchline.camera;
      const canvas = document.querySelector("canvas");
      return JSON.stringify([scale, x, y, turned, width, height, canvas?.clientWidth, canvas?.clientHeight]);
    });
  }

  /** Waits until the server has said once more how it is doing; all frames of before have come by then. */
  async nextStatus() {
    await this.page.evaluate((patience) => new Promise((resolve, reject) => {
      // @ts-expect-error The page puts it there.
      const { world } = window.touchline;
      const last = world.status;
      const giveUpAt = performance.now() + patience;
      const look = () => {
        if (world.status !== last) resolve(undefined);
        else if (performance.now() > giveUpAt) reject(new Error(`no new status after ${JSON.stringify(last)}`));
        else requestAnimationFrame(look);
      };
      look();
    }), BROKEN_AFTER_MS);
  }

  /** What part of the canvas's pixels has about this colour. @param {number[]} rgb */
  pixelsLike(rgb) {
    return this.page.evaluate(([red, green, blue]) => {
      const canvas = document.querySelector("canvas");
      // A copy, since reading the canvas itself makes it slow, and the browser warns of that.
      const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      if (!canvas || !context) return 0;
      context.canvas.width = canvas.width;
      context.canvas.height = canvas.height;
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const off = Math.abs(data[at] - red) + Math.abs(data[at + 1] - green) + Math.abs(data[at + 2] - blue);
        if (off < 24) count += 1;
      }
      return count / (data.length / 4);
    }, rgb);
  }

  /** @param {string} id */
  text(id) {
    return this.page.locator(`#${id}`).innerText();
  }

  /** @param {string} name */
  async screenshot(name) {
    await this.page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
  }

  async close() {
    await this.page.context().close();
    assert.deepEqual(this.complaints, []);
  }
}
