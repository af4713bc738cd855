// Measures the page, with a release build: `npm run bench`, or a part of it: `npm run bench -- start rate wall seek links`. The heap
// takes as long as one says: `npm run bench -- heap=30`, in minutes. docs/benchmarks.md has the numbers.

import { rmSync } from "node:fs";
import { heap, rate, start, wall } from "./benchdrawing.js";
import { links } from "./benchlinks.js";
import { seek } from "./benchseek.js";
import { makeFolder, startBrowser } from "./harness.js";

/** @type {Record<string, (browser: import("playwright-core").Browser, folder: string, minutes: number) => Promise<void>>} */
const PARTS = { start, rate, wall, seek, links, heap };
const asked = process.argv.slice(2);
const folder = makeFolder();
const browser = await startBrowser();
for (const name of asked.length > 0 ? asked : ["start", "rate", "wall", "seek", "links"]) {
  const [part, minutes = "30"] = name.split("=");
  if (!(part in PARTS)) throw new Error(`no part "${part}"; there are ${Object.keys(PARTS).join(", ")}`);
  await PARTS[part](browser, folder, Number(minutes));
}
await browser.close();
rmSync(folder, { recursive: true, force: true });
