// The page of challenges: it asks the desk how things stand, shows it, and sends what is pressed.

import { ConditionsForm } from "./conditions.js";
import { button, element, make, write } from "./dom.js";
import { bearer, Key, storedKey } from "./key.js";
import { applyTheme, toggleTheme } from "./palette.js";

/**
 * @typedef {{ value: number, unit: string }} Measure
 * @typedef {{ attempt: number, seed: number, score: number, outcome: string, reason: string, measures: Record<string, Measure>, penalties: number,
 *   refused: Record<string, number>, late?: number, notes?: string[], said?: string[], valid: boolean, state_hash: string }} Attempt
 * @typedef {{ run: number, score: number | null, attempts: Attempt[] }} Run
 * @typedef {{ place: number | null, team: string, entry: { script?: string, player?: { choice: { plugin: string } } }, score: number | null, status: string,
 *   penalties: number, refused: Record<string, number>, late: number, fault: string | null, runs: Run[] }} Row
 * @typedef {{ challenge: string, digest: string, score: string, unit: string, better: string, digits: number, teams: Row[] }} Table
 * @typedef {{ name: string, title: string, attempts: number, runs: number, seed: number, max_s: number, truth: boolean }} Offer
 * @typedef {import("./conditions.js").Setting} Setting
 * @typedef {import("./conditions.js").Changes} Changes
 * @typedef {{ works: boolean, result: Attempt }} Tried
 * @typedef {{ number: number, version: string, challenges: Offer[], chosen: number, settings: Setting[], changes: Changes, entrants: "references" | { script: string } | { competition: string },
 *   phase: "idle" | "testing" | "playing" | "stopping", error: string | null, done: number, all: number, playing: string[],
 *   tried: Record<string, Tried>, table: Table | null }} State
 */

applyTheme();

const ASK_MS = 300;
/** @type {State | null} */
let shown = null;
/** What the last order was refused for. */
let refused = "";
const SILENT = "The program does not answer: is it still there?";
const key = new Key(() => void look(), "Open the address that the program has printed: it has the key behind its #. Or type that key here.");

/** @type {HTMLSelectElement} */
const chooser = element("challenge");
/** @type {HTMLInputElement} */
const runs = element("runs");
/** @type {HTMLInputElement} */
const threads = element("threads");
/** @type {HTMLInputElement} */
const path = element("path");
/** @type {HTMLInputElement} */
const verbose = element("verbose");
/** @type {HTMLDialogElement} */
const told = element("told");
const conditions = new ConditionsForm();
element("settings").append(conditions.element);

/** How many orders are on their way: until it is known what came of them, no other is taken. */
let underWay = 0;

/**
 * Sends an order, and shows what has come of it.
 * @param {Record<string, unknown>} order
 */
async function send(order) {
  const focus = /** @type {HTMLElement | null} */ (document.activeElement);
  underWay += 1;
  if (shown) show(shown);
  await post("challenges/order", order);
  await look();
  underWay -= 1;
  if (shown) show(shown);
  // What is off for a moment loses the keyboard.
  if (document.activeElement === document.body) focus?.focus();
}

/**
 * @param {string} where
 * @param {Record<string, unknown>} body
 * @returns {Promise<any>} the answer, or null if it was refused
 */
async function post(where, body) {
  refused = "";
  try {
    const answer = await fetch(where, { method: "POST", headers: { "content-type": "application/json", ...bearer() }, body: JSON.stringify(body) });
    if (answer.ok) return await answer.json();
    refused = await answer.text();
  } catch {
    refused = SILENT;
  }
  if (shown) show(shown);
  return null;
}

/** @param {number} value @param {number} digits */
function rounded(value, digits) {
  return value.toFixed(digits);
}

/** The light of a team, and its word. @param {Row} row @param {State} state @returns {[string, string]} */
function light(row, state) {
  if (state.playing.includes(row.team)) return ["running", state.phase === "testing" ? "is tried" : "running"];
  const tried = state.tried[row.team];
  if (row.runs.length === 0 && tried) return tried.works ? ["works", "works"] : ["failed", "does not work"];
  const hasFailed = row.fault !== null && row.status !== "void";
  return hasFailed ? ["failed", `${row.status}, a failure`] : [row.status, row.status];
}

/** What the attempts have measured besides, each as a mean. @param {Row} row @param {string} name */
function mean(row, name) {
  const values = row.runs.flatMap((run) => run.attempts.flatMap(({ measures }) => (measures[name] ? [measures[name].value] : [])));
  return values.length === 0 ? "" : rounded(values.reduce((sum, value) => sum + value, 0) / values.length, 2);
}

/** The names of what is measured, with their units. @param {Table} table @returns {[string, string][]} */
function columns(table) {
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const row of table.teams) {
    for (const { measures } of row.runs.flatMap((run) => run.attempts)) {
      Object.entries(measures).filter(([name]) => name !== "penalty").forEach(([name, { unit }]) => names.set(name, unit));
    }
  }
  return [...names];
}

/** @param {string} name @param {string} unit */
function headed(name, unit) {
  return unit ? `${name}, ${unit}` : name;
}

/** @param {State} state @param {Table} table */
function showTable(state, table) {
  const measured = columns(table);
  const head = ["place", "team", "status", headed(table.score, table.unit), "runs", "penalties", "refused", "late", ...measured.map(([name, unit]) => headed(name, unit)), "plays by"];
  const isNumber = (/** @type {number} */ at) => at === 0 || (at > 2 && at !== 4 && at < head.length - 1);
  const rows = table.teams.map((row) => {
    const [colour, word] = light(row, state);
    const status = button("", () => tellStatus(row), { "aria-label": `Status of ${row.team}: ${word}` });
    status.append(make("span", { class: `light ${colour}`, "aria-hidden": "true" }), word);
    const played = make("div", { class: "runs" }, ...row.runs.map((run) => runButton(row, run, table)));
    const sum = Object.values(row.refused).reduce((a, b) => a + b, 0);
    const by = row.entry.script ?? row.entry.player?.choice.plugin ?? "";
    const score = row.score === null ? "–" : rounded(row.score, table.digits);
    const cells = [String(row.place ?? "–"), row.team, status, score, played, String(row.penalties), String(sum), String(row.late), ...measured.map(([name]) => mean(row, name)), by];
    return make("tr", {}, ...cells.map((cell, at) => make("td", { class: isNumber(at) ? "number" : at === head.length - 1 ? "script" : "" }, cell)));
  });
  element("teams").querySelector("thead")?.replaceChildren(make("tr", {}, ...head.map((name, at) => make("th", { scope: "col", class: isNumber(at) ? "number" : "" }, name))));
  const body = element("teams").querySelector("tbody");
  // Where the keyboard is stays, though the table is another.
  const focus = document.activeElement?.getAttribute("aria-label");
  const hadFocus = body?.contains(document.activeElement);
  body?.replaceChildren(...rows);
  if (hadFocus && focus) body?.querySelector(/** @type {any} */ (`[aria-label="${CSS.escape(focus)}"]`))?.focus();
}

/** @param {Row} row @param {Run} run @param {Table} table */
function runButton(row, run, table) {
  const score = run.score === null ? "void" : rounded(run.score, table.digits);
  const label = `Run ${run.run + 1} of ${row.team}: ${score}`;
  const press = () => (run.attempts.length === 1 ? void replay(row.team, run.run, 0) : tellRun(row, run, table));
  return button(score, press, { "aria-label": label, title: run.attempts.length === 1 ? "Replay it" : "Its attempts" });
}

/** Opens the recording of an attempt on a page of its own. @param {string} team @param {number} run @param {number} attempt */
function replay(team, run, attempt) {
  return open({ show: "replay", team, run, attempt });
}

/** Opens what is to be shown on a page of its own. @param {Record<string, unknown>} what */
async function open(what) {
  // Opened at the press: later it would be a window that nobody has asked for.
  const tab = window.open("about:blank");
  const answer = await post("challenges/show", what);
  if (answer === null) tab?.close();
  else if (tab) tab.location.href = answer.url;
}

/** @param {string} title @param {...(Node | string)} text */
function tell(title, ...text) {
  write(element("told-title"), title);
  element("told-text").replaceChildren(...text);
  told.showModal();
}

/** What an attempt said and what went wrong in it. @param {Attempt} attempt */
function diagnosis(attempt) {
  const lines = (attempt.said ?? []).filter((said) => said !== "");
  const refusals = Object.entries(attempt.refused).map(([what, often]) => `${what} ${often}`);
  return [
    make("p", {}, `${attempt.outcome}: ${attempt.reason}`),
    ...(refusals.length > 0 ? [make("p", {}, `Refused: ${refusals.join(", ")}`)] : []),
    ...(attempt.late ? [make("p", {}, `Late in ${attempt.late} of its tries`)] : []),
    ...(attempt.notes ?? []).map((note) => make("p", {}, note)),
    ...lines.map((said) => make("pre", { tabindex: "0" }, said)),
  ];
}

/** @param {Row} row */
function tellStatus(row) {
  const tried = shown?.tried[row.team];
  const attempts = row.runs.flatMap((run) => run.attempts.map((attempt) => ({ run, attempt })));
  const isTelling = (/** @type {Attempt} */ { outcome, valid, refused: not, late, notes, said }) => verbose.checked || outcome === "failed" || !valid || Object.keys(not).length > 0 || late || notes || (said ?? []).some((text) => text !== "");
  const parts = attempts.filter(({ attempt }) => isTelling(attempt)).flatMap(({ run, attempt }) => [
    make("h3", {}, `Run ${run.run + 1}, attempt ${attempt.attempt + 1}`), ...diagnosis(attempt),
  ]);
  const test = tried ? [make("h3", {}, "Test"), ...diagnosis(tried.result)] : [];
  const all = [...test, ...parts];
  tell(`${row.team}: ${row.status}`, ...(all.length > 0 ? all : [make("p", { class: "quiet" }, "Nothing was said, and nothing went wrong.")]));
}

/** @param {Row} row @param {Run} run @param {Table} table */
function tellRun(row, run, table) {
  const head = ["attempt", "outcome", headed(table.score, table.unit), "penalties", "reason", ""];
  const rows = run.attempts.map((attempt) => {
    const name = `Replay attempt ${attempt.attempt + 1}`;
    const cells = [String(attempt.attempt + 1), attempt.outcome, rounded(attempt.score, table.digits), String(attempt.penalties), attempt.reason, button("Replay", () => void replay(row.team, run.run, attempt.attempt), { "aria-label": name })];
    return make("tr", {}, ...cells.map((cell) => make("td", {}, cell)));
  });
  tell(`${row.team}, run ${run.run + 1}`, make("table", {}, make("thead", {}, make("tr", {}, ...head.map((name) => make("th", { scope: "col" }, name)))), make("tbody", {}, ...rows)));
}

/** What is other than in the challenge's file, in words. @param {Changes} changes */
function changed({ seed, attempts, max_s: maxSecs, referee }) {
  const own = { seed, attempts, max_s: maxSecs };
  const all = [...Object.entries(own), ...Object.entries(referee ?? {})].filter(([, value]) => value !== null && value !== undefined);
  return all.map(([name, value]) => `${name} ${value}`).join(", ");
}

/** Says what was refused, and what has gone wrong. */
function sayWrong() {
  write(element("error"), [refused, shown?.error ?? ""].filter((part) => part !== "").join("\n"));
}

/** @param {State} state */
function show(state) {
  const isNew = shown === null || shown.chosen !== state.chosen;
  if (isNew || JSON.stringify(shown?.changes) !== JSON.stringify(state.changes)) conditions.show(state.settings, state.changes);
  shown = state;
  if (chooser.options.length !== state.challenges.length) {
    chooser.replaceChildren(...state.challenges.map(({ name }) => make("option", { value: name }, name)));
  }
  const offer = state.challenges[state.chosen];
  chooser.value = offer.name;
  if (isNew) runs.value = String(offer.runs);
  const sees = offer.truth ? "teams may see where everything is" : "teams see what their sensors see";
  const { attempts = null, max_s: maxSecs = null, seed = null } = state.changes;
  const count = attempts ?? offer.attempts;
  write(element("about-challenge"), `${offer.title}. ${count} ${count === 1 ? "attempt" : "attempts"} a run, ${maxSecs ?? offer.max_s} s each at most, seed ${seed ?? offer.seed}; ${sees}.`);
  const others = changed(state.changes);
  write(element("changed"), others === "" ? "" : `Not as in the file: ${others}.`);
  const words = { idle: "", testing: "Testing: the first attempt of each team.", playing: "Playing.", stopping: "Stopping." };
  const counted = state.all > 0 ? `${state.done} of ${state.all} runs.` : "";
  const who = typeof state.entrants === "string" ? "Reference players." : "script" in state.entrants ? `${state.entrants.script}.` : `${state.entrants.competition}.`;
  write(element("state"), [who, counted, words[state.phase]].filter((part) => part !== "").join(" "));
  sayWrong();
  const isIdle = state.phase === "idle" && underWay === 0;
  for (const id of ["challenge", "runs", "threads", "open-script", "open-competition", "open-references", "test", "competition", "change", "as-in-file"]) {
    /** @type {HTMLButtonElement} */ (element(id)).disabled = !isIdle;
  }
  /** @type {HTMLButtonElement} */ (element("stop")).disabled = state.phase !== "testing" && state.phase !== "playing";
  /** @type {HTMLButtonElement} */ (element("stop-server")).disabled = state.phase === "idle";
  if (state.table) showTable(state, state.table);
}

/** The last question for the state: they are asked one after the other, so that an old answer never follows a newer one. */
let asked = Promise.resolve();

/** Asks for the state, and shows it. */
function look() {
  asked = asked.then(async () => {
    if (key.isAsked) return;
    const own = storedKey();
    try {
      const answer = await fetch(`challenges/state?known=${shown?.number ?? 0}`, { headers: bearer() });
      if (answer.status === 403) {
        const why = await answer.text();
        // Another one may have come meanwhile.
        if (storedKey() === own) key.ask(own === null ? null : why);
        return;
      }
      if (answer.status === 200) show(await answer.json());
      else if (answer.status !== 204) throw new Error(`status ${answer.status}`);
      key.done();
      // What was said of the silence is over, though nothing may be new.
      if (document.body.classList.contains("offline")) {
        if (refused === SILENT) refused = "";
        sayWrong();
      }
      document.body.classList.remove("offline");
    } catch {
      document.body.classList.add("offline");
      write(element("error"), SILENT);
    }
  });
  return asked;
}

async function follow() {
  await look();
  setTimeout(() => void follow(), ASK_MS);
}

/** @param {string} id @param {() => Record<string, unknown>} order */
function orders(id, order) {
  element(id).addEventListener("click", () => void send(order()));
}

chooser.addEventListener("change", () => void send({ order: "choose", challenge: chooser.value }));
element("change").addEventListener("click", () => {
  try {
    void send({ order: "change", changes: conditions.changes() });
  } catch (error) {
    refused = /** @type {Error} */ (error).message;
    if (shown) show(shown);
  }
});
orders("as-in-file", () => ({ order: "change", changes: {} }));
element("watch").addEventListener("click", () => void open({ show: "live" }));
orders("open-script", () => ({ order: "open-script", path: path.value.trim() }));
orders("open-competition", () => ({ order: "open-competition", path: path.value.trim() }));
orders("open-references", () => ({ order: "open-references" }));
orders("test", () => ({ order: "test", threads: Number(threads.value) }));
orders("competition", () => ({ order: "competition", runs: Number(runs.value), threads: Number(threads.value) }));
orders("stop", () => ({ order: "stop" }));
orders("stop-server", () => ({ order: "stop-server" }));
element("theme").addEventListener("click", toggleTheme);
element("about").addEventListener("click", () => tell("Touchline challenges", make("p", {}, `touchline ${shown?.version ?? ""}. What is played, and how it is counted: docs/challenges.md. The idea and the first rules are those of magmaChallenge.`)));
void follow();
