// Puts the page together: connection, world, camera, picture, panel, buttons.

import { Board, NO_BOARD } from "./board.js";
import { attachPointers, Camera } from "./camera.js";
import { Cockpit } from "./cockpit.js";
import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { Hand } from "./drag.js";
import { Happenings } from "./happenings.js";
import { floorBounds, Painter } from "./draw.js";
import { Divergence } from "./divergence.js";
import { Drive } from "./drive.js";
import { Inspector } from "./inspector.js";
import { Key } from "./key.js";
import { Layers } from "./layers.js";
import { Match } from "./match.js";
import { applyTheme } from "./palette.js";
import { element } from "./dom.js";
import { Panel } from "./panel.js";
import { Playhead } from "./playhead.js";
import { VERSION } from "./protocol.js";
import { Recording } from "./recording.js";
import { Roster } from "./roster.js";
import { Sections } from "./sections.js";
import { attachClicks, nearest, Selection } from "./selection.js";
import { Sensing } from "./sensing.js";
import { SensorLayer } from "./sensorlayer.js";
import { Starter } from "./starter.js";
import { Timeline } from "./timeline.js";
import { World } from "./world.js";

applyTheme();

/** @type {HTMLCanvasElement} */
const canvas = element("field");
const world = new World();
const camera = new Camera();
const painter = new Painter(canvas, world, camera);
const panel = new Panel();
/** Why one who looks on may do nothing. */
const ONLY_OPERATORS = "Only an operator, a trainer or a referee may do this; you look on.";
const RECORDING = "This is a recording: it can be looked at, and not be changed.";
/** What happened since the last frame: it is shown if the next one goes on from there. @type {import("./protocol.js").Event[]} */
let events = [];

const key = new Key((text) => connection.send(JSON.stringify({ key: text })));
const connection = new Connection({
  message(message) {
    world.hear(message);
    switch (message.type) {
      case "key":
        key.ask(message.reason);
        break;
      case "hello":
        key.done();
        events = [];
        camera.setBounds(floorBounds(message.fixtures));
        panel.showHello(message);
        board.begin(message);
        allow();
        playhead.begin();
        happenings.begin();
        recording.begin();
        inspector.reconnect();
        drive.forget();
        if (message.board) {
          void starter.begin();
          void match.begin();
        }
        if (message.version !== VERSION) panel.showNotice("The server is another version: reload this page.");
        break;
      case "game":
        panel.showGame(message, world.hello?.teams ?? []);
        match.showGame();
        break;
      case "objects":
        if (selection.id !== null && !world.objects.has(selection.id)) selection.select(null);
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
        sensing.leave();
        break;
      case "recording":
        recording.show(message);
        break;
      case "stall":
        panel.showNotice(message.reason === null ? "" : `The world stands still: ${message.reason}`);
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
    playhead.heardFrame(frame);
    for (const event of events) if (goesOn || (isFirst && event.kind === "fault")) panel.showEvent(event);
    events = [];
  },
  state(isOpen, reason) {
    if (isOpen) key.begin();
    panel.showNotice(isOpen ? "" : `No connection to the server${reason ? `: ${reason}` : ""}. Trying again …`);
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
const controls = new Controls({ world, camera, painter, canvas, sections, playhead, timeline, recording, send });
const selection = new Selection();
const drive = new Drive({ board, world, canvas });
attachClicks(canvas, camera, (x, y) => {
  if (!starter.take(x, y)) selection.select(nearest(world, camera.scale, x, y, "robot")?.id ?? null);
});
const hand = new Hand(canvas, { world, camera, painter, send });
const roster = new Roster({ board, world, drive, selection });
const cockpit = new Cockpit({ world, drive, selection });
const starter = new Starter({ board, world, drive, painter, selection, canvas });
const match = new Match({ board, world, hand });
const sensing = new Sensing(board);
sensing.isShown = (step) => world.looking === null || step === world.newest?.step;
painter.sensors = new SensorLayer(world, sensing);
painter.layers = new Layers();
const divergence = new Divergence();
const inspector = new Inspector({ board, world, painter, selection, sensing, layer: painter.sensors, layers: painter.layers });
const firstDifference = (/** @type {string} */ name) => happenings.of("difference").find(({ text }) => text.startsWith(`${name} would`));
inspector.hasDifference = (name) => firstDifference(name) !== undefined;
inspector.shadow.addEventListener("first", () => {
  const first = firstDifference(world.objects.get(selection.id ?? -1)?.name ?? "");
  if (first) playhead.goTo(first.tick);
});
sections.add("robots", "Robots", roster.element);
sections.add("inspector", "Robot", inspector.element);
sections.add("driving", "Drive", cockpit.element);
sections.add("starting", "Start a player", starter.element);
sections.add("match-control", "Match", match.element);
selection.addEventListener("change", () => {
  painter.marks.selected = selection.id;
});
drive.addEventListener("change", () => {
  painter.marks.driven = drive.robot?.id ?? null;
  if (drive.robot) playhead.toNow();
});
playhead.addEventListener("change", () => {
  // Who does not see where he drives gives the robot back.
  if (playhead.isLooking) drive.stop();
});

let isReplay = false;
/** Switches off what this page may not do, and says why. */
function allow() {
  isReplay = world.status.replay;
  const isWatched = world.hello?.board === false;
  // Nothing of the past is kept there, and what sensors say and the panel does is the message board's.
  for (const id of ["timeline", "sensors"]) element(id).hidden = isWatched;
  sections.offer(!isWatched);
  const refused = isWatched ? NO_BOARD : world.mayCommand ? "" : ONLY_OPERATORS;
  const changeRefused = refused || (isReplay ? RECORDING : "");
  for (const part of [sections, roster, cockpit, starter, match, recording]) part.allow(changeRefused);
  controls.allow(refused, changeRefused, isWatched ? NO_BOARD : "");
}

attachPointers(canvas, camera);
new ResizeObserver(() => camera.resize(canvas.clientWidth, canvas.clientHeight)).observe(canvas);

/** Nobody reads figures faster than this, ms; a text at each picture costs as much as the field. */
const FIGURES_MS = 100;
let figuresAt = -Infinity;
/** @param {number} nowMs */
function drawNext(nowMs) {
  requestAnimationFrame(drawNext);
  painter.draw(nowMs);
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
  touchline: { world, camera, painter, board, selection, drive, playhead, happenings, sensing, inspector },
});
