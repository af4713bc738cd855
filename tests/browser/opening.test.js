// Worlds and recordings that are opened from the page: by their names, by operators, and nothing else on the machine. (C4)

import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { makeFolder, makeKey, openStudio, startBrowser, startServer, touchline } from "./harness.js";

const ROOM = 'name = "my-room"\n[[robot]]\nname = "rosie"\nfile = "pioneer"\npose = { x_m = 0.0, y_m = 0.0 }\n';

/**
 * What the board answers to a line of a new client.
 * @param {string} board
 * @param {string} hello
 * @param {string} line
 * @returns {Promise<string>}
 */
function ask(board, hello, line) {
  const [host, port] = board.split(":");
  const socket = connect(Number(port), host);
  socket.write(`${hello}\n#own ${line}\nBYE\n`);
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    const lines = createInterface({ input: socket });
    lines.on("line", (text) => text.startsWith("#own") && resolve(text));
    lines.once("close", () => reject(new Error("no answer")));
  });
}

/**
 * Opens what is called so, as an operator at the page does.
 * @param {import("playwright-core").Page} page
 */
function opener(page) {
  return async (/** @type {string} */ label) => {
    await page.getByLabel("World or recording").selectOption({ label });
    await page.locator("#open-title", { hasText: "Open" }).click();
    await page.locator("#open-title", { hasText: "Sure?" }).click();
  };
}

/**
 * The browser tells of the connections that it lost and tried.
 * @param {Awaited<ReturnType<typeof openStudio>>} studio
 */
function forgetLostConnections({ complaints }) {
  complaints.splice(0, complaints.length, ...complaints.filter((complaint) => !complaint.includes("WebSocket")));
}

describe("opening", () => {
  /** @type {import("playwright-core").Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  const folder = makeFolder();
  const [worlds, recordings, secret] = ["worlds", "recordings", "secret"].map((name) => path.join(folder, name));
  const more = ["--worlds-dir", worlds];

  before(async () => {
    for (const made of [worlds, recordings, secret]) mkdirSync(made);
    writeFileSync(path.join(worlds, "room.toml"), ROOM);
    writeFileSync(path.join(worlds, "broken.toml"), `${ROOM}speed = 3\n`);
    writeFileSync(path.join(secret, "hidden.toml"), ROOM.replace("my-room", "hidden"));
    touchline("run", "worlds/f2000.toml", "--for", "3", "--record", path.join(recordings, "match.mcap"));
    cpSync(path.join(recordings, "match.mcap"), path.join(secret, "hidden.mcap"));
    browser = await startBrowser();
    server = await startServer({ world: "worlds/empty.toml", recordings, more });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  it("shows another world, then a recording, then a world again, at the same address", async () => {
    const studio = await openStudio(browser, server.url);
    const { page } = studio;
    await page.keyboard.press("p");
    const open = opener(page);
    // Those that came with the program are there too.
    await page.locator("#titles option", { hasText: /^f2000$/ }).waitFor({ state: "attached" });
    // What would not start is said, and what is shown goes on.
    await open("broken");
    await page.locator(".opening", { hasText: /broken\.toml.*speed/s }).waitFor();
    const { status } = await studio.state();
    await studio.until((state) => state.status.tick > status.tick);
    assert.equal(await studio.text("world"), "empty");

    await open("room");
    await page.locator("#world", { hasText: "my-room" }).waitFor();
    const room = await studio.until((state) => state.objects.some(({ name }) => name === "rosie") && state.step > 0);
    assert.equal(room.status.replay, false);
    await open("match.mcap");
    await page.getByText("Recording", { exact: true }).waitFor();
    const match = await studio.until((state) => state.status.replay && state.objects.length > 8);
    assert.ok(match.objects.some(({ name }) => name === "blue-1"), "its robots are shown");
    await page.locator("#titles:not(:disabled)").waitFor();
    await studio.screenshot("opening");
    await open("room");
    await page.locator("#world", { hasText: "my-room" }).waitFor();
    await studio.until((state) => !state.status.replay && state.objects.some(({ name }) => name === "rosie"));
    await studio.nextStatus();
    assert.equal(await page.locator("#speed option[value^='-']").count(), 0, "a world runs forwards");
    forgetLostConnections(studio);
    await studio.close();
  });

  it("leaves nothing of the world before: no robot of the same number, no value of its referee, no speed, nothing that happened", async () => {
    const own = path.join(folder, "own");
    mkdirSync(own);
    cpSync(path.join(recordings, "match.mcap"), path.join(own, "match.mcap"));
    touchline("run", path.join(worlds, "room.toml"), "--for", "3", "--record", path.join(own, "room.mcap"));
    const served = await startServer({ replay: path.join(own, "match.mcap") });
    const studio = await openStudio(browser, served.url);
    const { page } = studio;
    await page.keyboard.press("p");
    const robot = page.locator(".roster").getByRole("button", { name: "blue-1", exact: true });
    await robot.click();
    // @ts-expect-error The page puts it there.
    const chosen = () => page.evaluate(() => window.touchline.selection.id);
    assert.equal(await chosen(), 0);
    const half = page.locator("#inspector dt", { hasText: /^half$/ });
    await half.waitFor();
    // What is open in the log is built there and then.
    const log = page.locator("#journal li").first();
    await page.locator("#journal").scrollIntoViewIfNeeded();
    await log.waitFor();
    await page.locator("#titles option", { hasText: /^room.mcap$/ }).waitFor({ state: "attached" });
    await opener(page)("room.mcap");
    await page.locator("#world", { hasText: "my-room" }).waitFor();
    const room = await studio.until(({ objects }) => objects.some(({ name }) => name === "rosie"));
    assert.equal(room.objects.find(({ name }) => name === "rosie")?.id, 0, "it has the number of the one that was chosen");
    assert.equal(await chosen(), null);
    await page.locator(".roster").getByRole("button", { name: "rosie", exact: true }).click();
    await page.locator("#inspector dt", { hasText: /^heading$/ }).first().waitFor();
    assert.deepEqual([await half.count(), await robot.count()], [0, 0]);
    await log.filter({ hasText: "rosie" }).waitFor();
    assert.equal(await page.locator("#journal li", { hasText: "blue" }).count(), 0);
    forgetLostConnections(studio);
    await studio.close();
    await served.stop();
  });

  it("shows another recording in place of one that is replayed, from the same folder, and no world", async () => {
    touchline("run", "worlds/rooms.toml", "--for", "1", "--record", path.join(recordings, "rooms.mcap"));
    const replayed = await startServer({ replay: path.join(recordings, "match.mcap"), more: ["--speed", "2"] });
    const studio = await openStudio(browser, replayed.url);
    const { page } = studio;
    await page.keyboard.press("p");
    const offered = page.locator("#titles option");
    await offered.first().waitFor({ state: "attached" });
    assert.deepEqual(await offered.allTextContents(), ["match.mcap", "rooms.mcap"]);
    assert.match(await ask(replayed.board, "HELLO 1 desk role=operator", "OPEN world room"), /ERR board\/no-such-title /);
    const open = opener(page);
    for (const [label, world] of [["rooms.mcap", "rooms"], ["match.mcap", "f2000"]]) {
      await open(label);
      await page.locator("#world", { hasText: world }).waitFor();
      await studio.until(({ status }) => status.replay && status.speed === 2);
      await page.locator("#titles:not(:disabled)").waitFor();
    }
    forgetLostConnections(studio);
    await studio.close();
    await replayed.stop();
  });

  it("opens nothing but what is in its list, whatever a client calls it", async () => {
    const operator = "HELLO 1 evil role=operator";
    const shown = async () => / world=(\S+)/.exec(await ask(server.board, operator, "STATUS"))?.[1];
    const before = await shown();
    assert.ok(before);
    const paths = [
      `world ${path.join(secret, "hidden.toml")}`, `world ${path.join(secret, "hidden")}`, "world ../secret/hidden", "world ../secret/hidden.toml",
      "world ./room", "world room.toml", "world ..", 'world ""', "world room/../room", `recording ${path.join(secret, "hidden.mcap")}`,
      "recording ../secret/hidden.mcap", "recording ./match.mcap", "recording match", "recording ..\\\\secret\\\\hidden.mcap", "recording room", "world match.mcap",
      'recording "match.mcap\\n"', "world ROOM", "recording /dev/zero", "world /proc/self/mem",
    ];
    for (const name of paths) {
      const answer = await ask(server.board, operator, `OPEN ${name}`);
      assert.match(answer, /ERR board\/(no-such-title|bad-\S+|missing-parameter) /, name);
    }
    // A file that lies elsewhere is not in the list for its name alone.
    assert.doesNotMatch(await ask(server.board, operator, "LIST"), /hidden/);
    assert.match(await ask(server.board, operator, "OPEN picture x"), /ERR board\/bad-parameter/);
    assert.equal(await shown(), before);
  });

  it("opens nothing for who is no operator, and tells him nothing of what there is", async () => {
    for (const role of ["monitor", "player"]) {
      assert.match(await ask(server.board, `HELLO 1 guest role=${role}`, "OPEN"), /ERR board\/role /, role);
      assert.match(await ask(server.board, `HELLO 1 guest role=${role}`, "OPEN world room"), /ERR board\/role /, role);
    }
    for (const role of ["spectator", "referee", "trainer"]) {
      const { key, more: keys } = makeKey(role);
      const locked = await startServer({ world: "worlds/empty.toml", recordings, more: [...more, ...keys] });
      for (const line of ["OPEN", "OPEN world room"]) {
        assert.match(await ask(locked.board, `HELLO 1 guest key=${key}`, line), /ERR board\/role /, `${role}: ${line}`);
      }
      const studio = await openStudio(browser, locked.url, { key });
      await studio.page.keyboard.press("p");
      assert.equal(await studio.page.locator("#titles").isVisible(), false, role);
      assert.equal(await studio.page.locator("#titles option").count(), 0, role);
      await studio.close();
      await locked.stop();
    }
  });
});
