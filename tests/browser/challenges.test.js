// The page of challenges: let in by its key, chosen, opened, tried, played, stopped, looked into, and a run's recording on a page of its own. (CH8, CH9)

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { BROKEN_AFTER_MS, makeFolder, program, SCREENSHOTS, startBrowser } from "./harness.js";
import { soon } from "./looking.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** A script that says something, and ends before it has done anything. */
const FAILS = "#!/bin/sh\necho I have no legs >&2\nexit 3\n";

/** @param {...string} more */
async function startDesk(...more) {
  const words = ["challenge", "serve", "--studio", "127.0.0.1:0", "--ready-json", "--recordings", path.join(makeFolder(), "recordings"), ...more];
  const child = spawn(program(), words, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  /** @type {{ event: string, studio: string }} */
  const ready = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the desk ended with code ${code}`)));
    createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line)));
  });
  assert.equal(ready.event, "ready");
  const { origin, hash } = new URL(ready.studio);
  return {
    /** As it is printed, with the key. */
    url: ready.studio,
    origin,
    key: hash.replace("#key=", ""),
    async stop() {
      child.kill("SIGTERM");
      assert.equal(await ended, 0);
      process.removeListener("exit", kill);
    },
  };
}

describe("the page of challenges", () => {
  /** @type {import("playwright-core").Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof startDesk>>} */
  let desk;
  /** @type {import("playwright-core").Page} */
  let page;
  /** @type {string[]} */
  const complaints = [];
  const folder = makeFolder();
  const teams = path.join(folder, "teams.csv");

  before(async () => {
    writeFileSync(path.join(folder, "fails.sh"), FAILS);
    chmodSync(path.join(folder, "fails.sh"), 0o755);
    writeFileSync(teams, 'name;script;plugin;params\nfast;;challenger;{"play": "run"}\nslow;;challenger;{"play": "run", "speed_fraction": 0.5}\nlegless;fails.sh;;\n');
    browser = await startBrowser();
    desk = await startDesk();
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
    context.setDefaultTimeout(BROKEN_AFTER_MS);
    page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("422")) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(desk.url);
    await page.getByLabel("Challenge", { exact: true }).selectOption("run-f2000");
    await page.getByText("Reference players. 0 of 20 runs.").waitFor();
    assert.equal(page.url(), `${desk.origin}/`, "the key does not stay in the address");
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
    assert.deepEqual(complaints, []);
  });

  /** @param {string} name */
  const row = (name) => page.getByRole("row").filter({ has: page.getByRole("cell", { name, exact: true }) });
  /** @param {string} name */
  const status = (name) => page.getByRole("button", { name: new RegExp(`^Status of ${name}: `) });
  const idle = () => page.locator("#test:not(:disabled)").waitFor();
  const close = () => page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  /** What the desk has opened is shown to nobody who knows its address alone. @param {string} url */
  const asksForKey = async (url) => {
    assert.equal(new URL(url).hash, "", "the key does not stay in the address");
    const context = await browser.newContext();
    const stranger = await context.newPage();
    await stranger.goto(url);
    await stranger.getByRole("dialog", { name: "Key" }).waitFor({ timeout: BROKEN_AFTER_MS });
    assert.equal(await stranger.locator("#world").innerText(), "Touchline");
    await context.close();
  };

  it("asks for the key who comes without, and takes it typed or in the address", async () => {
    const context = await browser.newContext();
    context.setDefaultTimeout(BROKEN_AFTER_MS);
    const other = await context.newPage();
    await other.goto(desk.origin);
    const question = other.getByRole("dialog", { name: "Key" });
    await question.getByText("Open the address that the program has printed").waitFor();
    assert.equal(await other.locator("#challenge option").count(), 0);
    const input = question.getByRole("textbox", { name: "Key" });
    await input.fill("a-key-that-opens-nothing-at-all");
    await other.keyboard.press("Enter");
    await question.getByText("opens nothing here").waitFor();
    await input.fill(desk.key);
    await other.keyboard.press("Enter");
    await other.getByText("Reference players. 0 of 20 runs.").waitFor();
    assert.equal(await question.count(), 0);
    // A reload asks for nothing: the tab has it.
    await other.reload();
    await other.getByText("Reference players. 0 of 20 runs.").waitFor();
    const pasted = await context.newPage();
    await pasted.goto(desk.origin);
    await pasted.getByRole("dialog", { name: "Key" }).waitFor();
    await pasted.goto(desk.url);
    await pasted.getByText("Reference players. 0 of 20 runs.").waitFor();
    assert.equal(pasted.url(), `${desk.origin}/`);
    await context.close();
  });

  it("says what is wrong with a file that it is told to open, and keeps what it has", async () => {
    await page.getByLabel("Path of a start script or competition file").fill(path.join(folder, "nowhere.csv"));
    await page.getByRole("button", { name: "Open competition" }).click();
    await page.locator("#error", { hasText: "nowhere.csv" }).waitFor();
    await page.getByRole("button", { name: "Open start script" }).click();
    await page.locator("#error", { hasText: "nowhere.csv" }).waitFor();
    assert.equal(await page.locator("#teams tbody tr").count(), 2);
  });

  it("says that the program does not answer as long as it does not, and no longer", async () => {
    const error = page.locator("#error");
    const before = await error.textContent();
    const state = "**/challenges/state*";
    for (const answer of /** @type {const} */ (["abort", "fail"])) {
      await page.route(state, (route) => (answer === "abort" ? route.abort() : route.fulfill({ status: 500 })));
      await error.filter({ hasText: "does not answer" }).waitFor();
      await page.unroute(state);
      await error.filter({ hasText: "nowhere.csv" }).waitFor();
      assert.equal(await error.textContent(), before);
    }
    complaints.splice(0, complaints.length, ...complaints.filter((complaint) => !/Failed to load resource/.test(complaint)));
  });

  it("tries every team, and says what a team that does not work has said", async () => {
    await page.getByLabel("Path of a start script or competition file").fill(teams);
    await page.getByRole("button", { name: "Open competition" }).click();
    await page.getByText("0 of 30 runs.").waitFor();
    await page.getByRole("button", { name: "Test" }).click();
    await page.getByRole("button", { name: "Status of fast: works" }).waitFor();
    await page.getByRole("button", { name: "Status of legless: does not work" }).waitFor();
    await idle();
    await status("legless").click();
    const told = await page.getByRole("dialog").innerText();
    assert.match(told, /I have no legs/);
    assert.match(told, /exit status: 3/);
    await page.screenshot({ path: path.join(SCREENSHOTS, "challenges-status.png") });
    await close();
  });

  it("plays a competition, shows places and scores, and replays a run", async () => {
    await page.getByLabel("Runs", { exact: true }).fill("2");
    await page.getByRole("button", { name: "Competition", exact: true }).click();
    await page.getByText("6 of 6 runs.").waitFor();
    await idle();
    const cells = await row("fast").getByRole("cell").allInnerTexts();
    assert.deepEqual([cells[0], cells[2], cells[3]], ["1", "done", "1.600"]);
    assert.deepEqual((await row("slow").getByRole("cell").allInnerTexts()).slice(0, 4), ["2", "slow", "done", "0.800"]);
    assert.match((await status("legless").getAttribute("aria-label")) ?? "", /a failure/);
    await page.screenshot({ path: path.join(SCREENSHOTS, "challenges.png") });
    const opened = page.context().waitForEvent("page");
    await page.getByRole("button", { name: "Run 2 of fast: 1.600" }).click();
    const replay = await opened;
    await replay.getByText("Recording", { exact: true }).waitFor();
    await replay.locator("#world", { hasText: "f2000-run" }).waitFor();
    await asksForKey(replay.url());
    // Who has opened it may wind it.
    await replay.locator("#pause:not(:disabled)").waitFor();
    await replay.screenshot({ path: path.join(SCREENSHOTS, "challenges-replay.png") });
    await replay.close();
  });

  it("goes on from its journal, so that nothing is played twice", async () => {
    await page.getByRole("button", { name: "Competition", exact: true }).click();
    await page.getByText("6 of 6 runs.").waitFor();
    await idle();
    const lines = readFileSync(`${teams}.runs.jsonl`, "utf8").trim().split("\n");
    assert.equal(lines.length, 6);
  });

  it("takes no other order before it knows what came of the last one", async () => {
    /** @type {() => void} */
    let letThrough = () => {};
    const isHeld = new Promise((resolve) => {
      void page.route("**/challenges/order", (route) => {
        letThrough = () => void route.continue();
        resolve(undefined);
      }, { times: 1 });
    });
    await page.getByRole("button", { name: "Open competition" }).click();
    await isHeld;
    for (const id of ["challenge", "open-script", "open-competition", "open-references", "test", "competition"]) {
      assert.ok(await page.locator(`#${id}`).isDisabled(), id);
    }
    letThrough();
    await idle();
    // What the order came to is seen by then, and not a little later.
    assert.match(await page.locator("#state").innerText(), /teams\.csv\. 0 of 30 runs\./);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "open-competition");
  });

  it("stops after the runs that have begun", async () => {
    await page.getByLabel("Runs", { exact: true }).fill("1000");
    await page.getByLabel("At a time").fill("1");
    await page.getByRole("button", { name: "Reference players" }).click();
    await page.getByText("Reference players. 0 of").waitFor();
    await page.getByRole("button", { name: "Competition", exact: true }).click();
    await page.locator("#teams .runs button").nth(1).waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await idle();
    const count = await page.locator("#teams .runs button").count();
    assert.ok(count >= 2 && count < 2000, `${count} runs`);
  });

  it("lists the attempts of a run that has several", async () => {
    await page.getByLabel("Challenge", { exact: true }).selectOption("throw-in-small-size");
    await page.getByText("Reference players. 0 of 2 runs.").waitFor();
    await page.getByLabel("Runs", { exact: true }).fill("1");
    await page.getByRole("button", { name: "Competition", exact: true }).click();
    await page.getByText("2 of 2 runs.").waitFor();
    await idle();
    await page.getByRole("button", { name: /^Run 1 of good/ }).click();
    assert.equal(await page.getByRole("dialog").getByRole("button", { name: /^Replay attempt/ }).count(), 10);
    await page.screenshot({ path: path.join(SCREENSHOTS, "challenges-attempts.png") });
    await close();
  });

  it("plays under other conditions than the file says, and under those of the file again", async () => {
    // A robot that stands still leaves each ball where it lay: the score is the distance at which balls are placed.
    const still = path.join(folder, "still.csv");
    writeFileSync(still, 'name;script;plugin;params\nstill;;challenger;{"play": "kick", "speed_fraction": 0.01}\n');
    await page.getByLabel("Challenge", { exact: true }).selectOption("kick-small-size");
    await page.getByLabel("Path of a start script or competition file").fill(still);
    await page.getByRole("button", { name: "Open competition" }).click();
    await page.getByText("still.csv. 0 of 1 runs.").waitFor();
    await page.getByText("Parameters", { exact: true }).click();
    for (const [name, value] of [["seed", "7"], ["attempts", "3"], ["nearest_m", "1.25"], ["farthest_m", "1.25"]]) {
      await page.getByLabel(name, { exact: true }).fill(value);
    }
    await page.getByRole("button", { name: "Play under these" }).click();
    await page.getByText("Not as in the file: seed 7, attempts 3, farthest_m 1.25, nearest_m 1.25.").waitFor();
    await page.screenshot({ path: path.join(SCREENSHOTS, "challenges-parameters.png") });
    await page.getByRole("button", { name: "Competition", exact: true }).click();
    await page.getByText("1 of 1 runs.").waitFor();
    await idle();
    await page.getByRole("button", { name: "Run 1 of still: 1.250" }).click();
    assert.equal(await page.getByRole("dialog").getByRole("button", { name: /^Replay attempt/ }).count(), 3);
    await close();
    // What is not allowed is said, and changes nothing.
    for (const [name, value, said] of [["nearest_m", "-1", /nearest_m: .*allowed {2}from 0/s], ["attempts", "2.5", /2\.5/], ["seed", "seven", /seed: a number is wanted, not "seven"/]]) {
      await page.getByLabel(/** @type {string} */ (name), { exact: true }).fill(/** @type {string} */ (value));
      await page.getByRole("button", { name: "Play under these" }).click();
      await page.locator("#error", { hasText: /** @type {RegExp} */ (said) }).waitFor();
      await page.getByLabel(/** @type {string} */ (name), { exact: true }).fill("3");
    }
    await page.getByText("Not as in the file: seed 7, attempts 3, farthest_m 1.25, nearest_m 1.25.").waitFor();
    await page.getByRole("button", { name: "As in the file" }).click();
    await page.getByText("still.csv. 0 of 1 runs.").waitFor();
    assert.equal(await page.locator("#changed").innerText(), "");
    assert.equal(await page.getByLabel("nearest_m", { exact: true }).inputValue(), "");
    // Each has a journal of its own: neither stands in the other's way.
    await page.getByRole("button", { name: "Competition", exact: true }).click();
    await page.getByText("1 of 1 runs.").waitFor();
    await idle();
    assert.equal(await page.getByRole("button", { name: "Run 1 of still: 1.250" }).count(), 0);
    const journals = readdirSync(folder).filter((name) => name.startsWith("still.csv.") && name.endsWith("runs.jsonl"));
    assert.equal(journals.length, 2, String(journals));
    await page.getByText("Parameters", { exact: true }).click();
  });

  it("shows what is being played live in the field, and nothing is measured otherwise for that", async () => {
    await page.getByLabel("Challenge", { exact: true }).selectOption("run-f2000");
    await page.getByRole("button", { name: "Reference players" }).click();
    await page.getByText("Reference players. 0 of 20 runs.").waitFor();
    await page.getByLabel("Runs", { exact: true }).fill("2");
    await page.getByLabel("At a time").fill("2");
    const opened = page.context().waitForEvent("page");
    await page.getByRole("button", { name: "Watch live" }).click();
    const live = await opened;
    await live.locator("#world", { hasText: "f2000-run" }).waitFor();
    await asksForKey(live.url());
    await page.getByRole("button", { name: "Competition", exact: true }).click();
    // Which run it is stands where other pages have the number of the episode.
    await live.locator("#environment", { hasText: /^run-f2000: (simple|good), run [12]$/ }).waitFor();
    /** @returns {Promise<{ step: number, time: number, robots: string[] }>} */
    const seen = () => live.evaluate(() => {
      // @ts-expect-error The page puts it there.
      const { world } = window.touchline;
      const robots = [...world.objects.values()].filter((object) => object.kind === "robot");
      return { step: world.newest.step, time: world.newest.time, robots: robots.map(({ id }) => JSON.stringify(world.newest.poses.get(id))) };
    });
    const before = await seen();
    const after = await soon(seen, ({ time }) => time >= before.time + 1 || time < before.time);
    assert.notDeepEqual(after.robots, before.robots, "the robot runs");
    await live.screenshot({ path: path.join(SCREENSHOTS, "challenges-live.png") });
    // Nobody looks any more: what is left is played as fast as it can be.
    await live.close();
    await page.getByText("4 of 4 runs.").waitFor();
    await idle();
    for (const [name, score] of [["good", "1.600"], ["simple", "0.800"]]) {
      for (const run of [1, 2]) await page.getByRole("button", { name: `Run ${run} of ${name}: ${score}` }).waitFor();
    }
  });

  it("shows another challenge on the live page that is open", async () => {
    const opened = page.context().waitForEvent("page");
    await page.getByRole("button", { name: "Watch live" }).click();
    const live = await opened;
    await live.locator("#world", { hasText: "f2000-run" }).waitFor();
    await page.getByLabel("Challenge", { exact: true }).selectOption("kick-small-size");
    await page.getByText("Reference players. 0 of 2 runs.").waitFor();
    await page.getByRole("button", { name: "Competition", exact: true }).click();
    await live.locator("#environment", { hasText: /^kick-small-size: (simple|good), run 1, attempt 1 of 10$/ }).waitFor();
    await live.locator("#world", { hasText: "small-size" }).waitFor();
    await page.getByRole("button", { name: "Stop server" }).click();
    await idle();
    await live.close();
  });

  it("keeps to the rules of WCAG 2, light and dark", async () => {
    await page.getByText("Parameters", { exact: true }).click();
    for (const theme of ["light", "dark"]) {
      await page.screenshot({ path: path.join(SCREENSHOTS, `challenges-${theme}.png`) });
      await page.evaluate(AXE);
      const problems = await page.evaluate(async () => {
        // @ts-expect-error It was put there.
        const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
        return violations.map((/** @type {{ id: string, nodes: { html: string }[] }} */ { id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`);
      });
      assert.deepEqual(problems, [], theme);
      await page.getByRole("button", { name: "Light or dark" }).click();
    }
  });

  it("answers nobody who comes from another site, by another name or by a proxy", async () => {
    const order = JSON.stringify({ order: "stop" });
    /** @param {Record<string, string>} headers */
    const post = (headers) => fetch(`${desk.origin}/challenges/order`, { method: "POST", headers: { authorization: `Bearer ${desk.key}`, ...headers }, body: order }).then(({ status: code }) => code);
    assert.equal(await post({ "content-type": "application/json" }), 200);
    assert.equal(await post({ "content-type": "application/json", origin: "http://evil.example" }), 403);
    assert.equal(await post({ "content-type": "application/json", "x-forwarded-for": "192.0.2.1" }), 403);
    assert.equal(await post({ "content-type": "text/plain" }), 415);
    assert.equal(await post({ "content-type": "application/json", authorization: "" }), 403);
  });
});
