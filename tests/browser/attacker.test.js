// A page of another site, which is open in the browser of somebody who runs a server: it commands nothing. (C4)

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { after, before, it } from "node:test";
import { setUp } from "./harness.js";

const here = setUp({ world: "worlds/empty.toml" });
/** @type {import("node:http").Server} */
let site;
before(async () => {
  site = createServer((_, response) => response.setHeader("content-type", "text/html").end("<h1>A nice page</h1>"));
  await new Promise((resolve) => site.listen(0, "127.0.0.1", () => resolve(null)));
});
after(() => site?.close());

/** What the board answers to one line. @param {string} line @returns {Promise<string>} */
function ask(line) {
  const [host, port] = here.server.board.split(":");
  const socket = connect(Number(port), host);
  socket.write(`#own ${line}\nBYE\n`);
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    const lines = createInterface({ input: socket });
    lines.on("line", (text) => text.startsWith("#own") && resolve(text));
    lines.once("close", () => reject(new Error("no answer")));
  });
}

it("a page of another site commands nothing by any request that it can make", async () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (site.address());
  const page = await here.browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  const tried = await page.evaluate(async (board) => {
    const body = "\r\nHELLO 1 evil role=operator\r\nPAUSE\r\nROBOT evil file=pioneer\r\nRESET\r\n";
    const way = `http://${board}/`;
    const post = { method: "POST", mode: /** @type {const} */ ("no-cors"), body };
    /** @type {[string, () => unknown][]} */
    const ways = [
      ["post", () => fetch(way, post)],
      ["a long address", () => fetch(`${way}${"x".repeat(20_000)}`, post)],
      ["an address with commands", () => fetch(`${way}%0d%0aPAUSE`, post)],
      ["a header", () => fetch(way, { ...post, headers: { "content-type": "text/plain; x=PAUSE" } })],
      ["a blob", () => fetch(way, { ...post, body: new Blob([new Uint8Array([0xff, 0x0a]), body]) })],
      ["a beacon", () => navigator.sendBeacon(way, body)],
      ["https", () => fetch(`https://${board}/`, post)],
      ["a socket", () => new Promise((resolve) => (new WebSocket(`ws://${board}/`, ["PAUSE"]).onclose = resolve))],
      ["a form", () => {
        const frame = document.body.appendChild(document.createElement("iframe"));
        frame.name = "hidden";
        const form = document.body.appendChild(document.createElement("form"));
        Object.assign(form, { action: way, method: "post", enctype: "text/plain", target: "hidden" });
        const field = form.appendChild(document.createElement("textarea"));
        Object.assign(field, { name: "x", value: body });
        form.submit();
        return new Promise((resolve) => (frame.onload = resolve));
      }],
    ];
    const names = [];
    for (const [name, tryIt] of ways) {
      // A server that does not hang up shall be attacked in all ways, too.
      const enough = new Promise((resolve) => setTimeout(resolve, 5000));
      await Promise.race([Promise.resolve(tryIt()).catch(() => null), enough]);
      names.push(name);
    }
    return names;
  }, here.server.board);
  assert.equal(tried.length, 9);
  const status = await ask("STATUS");
  assert.match(status, / paused=0 /, "nobody paused it");
  assert.match(await ask("LIST"), / lines=0\b/, "nobody made a robot");
  await page.close();
});
