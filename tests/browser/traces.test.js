// Which values are plotted.

import assert from "node:assert/strict";
import { it } from "node:test";
import { MOST_TRACES, Traces } from "../../server/gateways/studio/page/traces.js";

it("a value more than a plot can show is refused, and that is told", () => {
  const traces = new Traces();
  let full = 0;
  traces.addEventListener("full", () => (full += 1));
  for (let at = 0; at < MOST_TRACES; at += 1) traces.toggle(`value ${at}`, "", "m");
  assert.equal(full, 0);
  traces.toggle("one more", "", "m");
  assert.deepEqual([traces.all.length, full], [MOST_TRACES, 1]);
  traces.toggle("value 0", "", "m");
  traces.toggle("one more", "", "m");
  assert.deepEqual([traces.has("one more"), full], [true, 1]);
});
