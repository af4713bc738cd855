// Puts the page together: connection, world, camera, picture, panel, buttons.

import { Board, LOST, NO_BOARD } from "./board.js";
import { attachPointers, Camera } from "./camera.js";
import { Capture } from "./capture.js";
import { Cockpit } from "./cockpit.js";
import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { Hand } from "./drag.js";
import { Happenings } from "./happenings.js";
import { Divergence } from "./divergence.js";
import { Painter } from "./draw.js";
import { Drive } from "./drive.js";
import { Following } from "./following.js";
import { Inspector } from "./inspector.js";
import { Journal } from "./journal.js";
import { Keeping } from "./keeping.js";
import { Key } from "./key.js";
import { Layers } from "./layers.js";
import { Link } from "./link.js";
import { Match } from "./match.js";
import { Measure } from "./measure.js";
import { applyTheme } from "./palette.js";
import { element } from "./dom.js";
import { Opening } from "./opening.js";
import { Panel } from "./panel.js";
import { Playhead } from "./playhead.js";
import { attachPresses } from "./press.js";
import { VERSION } from "./protocol.js";
import { Recording } from "./recording.js";
import { Roster } from "./roster.js";
import { Sections } from "./sections.js";
import { attachClicks, nearest, Selection } from "./selection.js";
import { Sensing } from "./sensing.js";
import { SensorLayer } from "./sensorlayer.js";
import { wholeBounds } from "./shapes.js";
import { applySize } from "./size.js";
import { Starter } from "./starter.js";
import { Timeline } from "./timeline.js";
import { MOST_TRACES } from "./traces.js";
import { Viewing } from "./viewing.js";
import { World } from "./world.js";

applyTheme();
applySize();

/** @type {HTMLCanvasElement} */
const canvas = element("field");
const world = new World();
const camera = new Camera();
camera.bounds = () => wholeBounds(world.hello?.fixtures ?? [], world.newest?.poses.values() ?? []);
const painter = new Painter(canvas, world, camera);
const panel = new Panel();
/** Why one who looks on may do nothing. */
const ONLY_OPERATORS = "Only an operator, a trainer or a referee may do this; you look on.";
const FROZEN = "The server does not answer: it is frozen, or the network is gone.";
const RECORDING = "This is a recording: it can be looked at, and not be changed.";
const PAST = "You look at the past: what you see was so then. Esc goes back to now.";
/** What happened since the last frame: it is shown if the next one goes on from there. @type {import("./protocol.js").Event[]} */
let events = [];

const key = new Key((text) => connection.send(JSON.stringify({ key: text })));
const connection = new Connection({
  message(message) {
    const last = world.hello;
    world.hear(message);
    switch (message.type) {
      case "key":
        key.ask(message.reason);
        break;
      case "hello":
        trouble.lost = "";
        key.done();
        events = [];
        camera.refit();
        panel.showHello(message);
        board.begin(message);
        if (last && (last.world !== message.world || last.seed !== message.seed || last.referee !== message.referee)) layers.begin();
        allow();
        playhead.begin();
        happenings.begin();
        recording.begin();
        roster.begin();
        inspector.reconnect();
        drive.forget();
        if (message.board) {
          void starter.begin();
          void match.begin();
          if (world.mayCommand) void opening.begin();
        }
        if (message.version !== VERSION) panel.showNotice("The server is another version: reload this page.");
        break;
      case "game":
        panel.showGame(message, world.hello?.teams ?? []);
        match.showGame();
        break;
      case "objects":
        selection.check(world.objects);
        drive.check();
        for (const section of [roster, cockpit, starter, inspector]) section.update();
        break;
      case "status":
        if (message.replay !== isReplay) allow();
        playhead.heardStatus();
        happenings.heardStatus();
        panel.showStatus(message);
        controls.showStatus(message);
        break;
      case "events":
        events.push(...message.events);
        break;
      case "looking":
        playhead.heardLooking(message);
        panel.clearEvents();
        sensing.leave();
        break;
      case "recording":
        recording.show(message);
        break;
      case "caption":
        panel.call(message.text);
        break;
      case "stall":
        trouble.stalled = message.reason === null ? "" : `The world stands still: ${message.reason}`;
        allow();
        break;
      case "line":
        board.hear(message.text);
        break;
      case "error":
        panel.showNotice(message.message, 5000);
        break;
    }
  },
  frame(frame) {
    const isFirst = world.newest === null;
    const goesOn = world.receive(frame, performance.now());
    if (isFirst) camera.refit();
    playhead.heardFrame(frame);
    if (world.isPast !== isPast) allowActs();
    if (!goesOn && !isFirst) panel.clearEvents();
    followLink();
    for (const event of events) if (goesOn || (isFirst && event.kind === "fault")) panel.showEvent(event);
    events = [];
  },
  state(isOpen, reason) {
    if (isOpen) key.begin();
    // What the board itself has said tells more than that it has ended.
    const why = isOpen ? "" : board.end() || reason;
    Object.assign(trouble, { lost: isOpen ? "" : `No connection to the server${why ? `: ${why}` : ""}. Trying again …`, silent: "", stalled: "" });
    allow();
  },
  silent(isSilent) {
    trouble.silent = isSilent ? FROZEN : "";
    allow();
  },
});

const board = new Board({
  send: (line) => connection.send(line),
  refused: (message) => panel.showNotice(message, 5000),
});
const send = (/** @type {string} */ line) => void board.ask(line);
const sections = new Sections(element("side"), element("panel"));
const playhead = new Playhead({
  world,
  board,
  send: (text) => connection.send(text),
  refused: (message) => panel.showNotice(message, 5000),
});
const happenings = new Happenings({ board, world });
const timeline = new Timeline(element("timeline"), { world, playhead, happenings });
const recording = new Recording({ board, panel });
const selection = new Selection();
const following = new Following({ world, camera, selection, canvas });
const measure = new Measure(canvas, camera, painter);
const viewing = new Viewing({ painter, measure, following });
const controls = new Controls({
  world, camera, painter, canvas, sections, playhead, timeline, recording, viewing, following, selection, send,
  refused: (message) => panel.showNotice(message, 5000),
  noted: (message) => panel.showNotice(message, 5000, true),
});
const linked = { world, camera, painter, selection, playhead };
const link = new Link();
function followLink() {
  if (!link.isOpen) return;
  link.follow(linked);
  controls.showOptions();
}
addEventListener("hashchange", () => {
  link.read();
  // While time stands no frame comes.
  if (world.newest) followLink();
});
const capture = new Capture(canvas, world);
const drive = new Drive({ board, world, canvas });
attachClicks(canvas, camera, (x, y) => {
  if (!starter.take(x, y)) selection.select(nearest(world, camera.scale, x, y, "robot")?.id ?? null);
});
const hand = new Hand(canvas, { world, camera, painter, send });
const roster = new Roster({ board, world, drive, selection });
const cockpit = new Cockpit({ world, drive, selection });
const opening = new Opening({ board });
const starter = new Starter({ board, world, drive, painter, selection, canvas });
const match = new Match({ board, world, hand });
const sensing = new Sensing(board);
sensing.isShown = (step) => world.looking === null || step === world.newest?.step;
sensing.dtSecs = () => world.hello?.dt_secs ?? 1;
painter.sensors = new SensorLayer(world, sensing);
const layers = new Layers();
painter.layers = layers;
const divergence = new Divergence();
const inspector = new Inspector({ board, world, painter, selection, sensing, layer: painter.sensors, layers });
inspector.traces.addEventListener("full", () => panel.showNotice(`${MOST_TRACES} values are plotted already: take one off first.`, 5000));
const firstDifference = (/** @type {string} */ name) => happenings.of("difference").find(({ text }) => text.startsWith(`${name} would`));
inspector.hasDifference = (name) => firstDifference(name) !== undefined;
inspector.shadow.addEventListener("first", () => {
  const first = firstDifference(world.objects.get(selection.id ?? -1)?.name ?? "");
  if (!first) return;
  // It is looked at, and not run past.
  if (playhead.isSeeking && !world.status.paused) send("PAUSE");
  playhead.goTo(first.tick);
});
sections.add("inspector", "Robot", inspector.element);
sections.add("robots", "Robots", roster.element);
sections.add("driving", "Drive", cockpit.element);
sections.add("starting", "Start a player", starter.element);
sections.add("match-control", "Match", match.element);
const journal = new Journal({ happenings, world, playhead });
sections.add("journal", "Log", journal.element);
sections.add("view", "View", viewing.element);
sections.add("opening", "Open", opening.element);
sections.add("keeping", "Pictures, films, files", new Keeping({ capture, recording, linked }).element);
selection.addEventListener("change", () => {
  selection.call(world.objects.get(selection.id ?? -1)?.name);
  painter.marks.selected = selection.id;
});
drive.addEventListener("change", () => {
  painter.marks.driven = drive.robot?.id ?? null;
  if (drive.robot) playhead.toNow();
});
playhead.addEventListener("change", () => {
  // Who does not see where he drives gives the robot back.
  if (playhead.isLooking) drive.stop();
  if (world.isPast !== isPast) allowActs();
});

/** What keeps the page from being of use now; empty if nothing does. */
const trouble = { lost: LOST, silent: "", stalled: "" };
let [isReplay, isPast] = [false, false];
/** Why the world may not be changed from here; empty if it may. */
let changeRefused = "";
/** Switches off what is made from what is seen, and would act on what is now, as long as the past is seen. */
function allowActs() {
  isPast = world.isPast;
  for (const part of [roster, cockpit, starter, match]) part.allow(changeRefused || (isPast ? PAST : ""));
}

/** Switches off what this page may not do, and says why. */
function allow() {
  isReplay = world.status.replay;
  const isWatched = world.hello?.board === false;
  // Nothing of the past is kept there, and what sensors say and the panel does is the message board's.
  for (const id of ["timeline", "sensors"]) element(id).hidden = isWatched;
  sections.offer(!isWatched);
  const wrong = trouble.lost || trouble.silent || trouble.stalled;
  panel.showNotice(world.hello || trouble.lost !== LOST ? wrong : "");
  world.isLive = !(trouble.lost || trouble.silent);
  document.body.classList.toggle("offline", !world.isLive);
  const refused = wrong || (isWatched ? NO_BOARD : world.mayCommand ? "" : ONLY_OPERATORS);
  changeRefused = refused || (isReplay ? RECORDING : "");
  for (const part of [sections, recording]) part.allow(changeRefused);
  allowActs();
  // A recording makes room for another one, too.
  opening.allow(refused);
  const lookRefused = trouble.lost || trouble.silent || (isWatched ? NO_BOARD : "");
  for (const part of [playhead, timeline, journal]) part.allow(lookRefused);
  controls.allow(refused, changeRefused, lookRefused);
}

// After a press by mouse or finger the keys belong to the field again: Space pauses, and does not press once more.
document.addEventListener("click", ({ detail, target }) => {
  const control = target instanceof Element ? target.closest("button, summary") : null;
  if (detail > 0 && control && !control.closest("dialog") && !document.querySelector("dialog[open]")) canvas.focus({ preventScroll: true });
});

attachPointers(canvas, camera);
attachPresses(document);
new ResizeObserver(() => camera.resize(canvas.clientWidth, canvas.clientHeight)).observe(canvas);

/** Nobody reads figures faster than this, ms; a text at each picture costs as much as the field. */
const FIGURES_MS = 100;
let figuresAt = -Infinity;
/** @param {number} nowMs */
function drawNext(nowMs) {
  requestAnimationFrame(drawNext);
  following.move();
  painter.draw(nowMs);
  measure.draw();
  const isDue = nowMs - figuresAt >= FIGURES_MS;
  if (isDue) figuresAt = nowMs;
  if (isDue && world.newest) panel.showFrame(world.newest);
  if (isDue || timeline.isMoved) timeline.draw();
  const departs = world.status.departs?.tick;
  divergence.show(world.status, playhead.shown, happenings.of("difference").find(({ tick }) => tick === departs)?.text ?? "");
}
requestAnimationFrame(drawNext);

// For tests, and for the browser's console.
Object.assign(window, {
  touchline: { world, camera, painter, board, selection, drive, playhead, happenings, sensing, inspector, panel },
});
