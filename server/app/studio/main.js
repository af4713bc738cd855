// Puts the page together: connection, world, camera, picture, panel, buttons.

import { Board } from "./board.js";
import { attachPointers, Camera } from "./camera.js";
import { Cockpit } from "./cockpit.js";
import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { Hand } from "./drag.js";
import { floorBounds, Painter } from "./draw.js";
import { Drive } from "./drive.js";
import { Inspector } from "./inspector.js";
import { Layers } from "./layers.js";
import { Match } from "./match.js";
import { applyTheme } from "./palette.js";
import { element } from "./dom.js";
import { Panel } from "./panel.js";
import { VERSION } from "./protocol.js";
import { Roster } from "./roster.js";
import { Sections } from "./sections.js";
import { attachClicks, nearest, Selection } from "./selection.js";
import { Sensing } from "./sensing.js";
import { SensorLayer } from "./sensorlayer.js";
import { Starter } from "./starter.js";
import { World } from "./world.js";

applyTheme();

/** @type {HTMLCanvasElement} */
const canvas = element("field");
const world = new World();
const camera = new Camera();
const painter = new Painter(canvas, world, camera);
const panel = new Panel();
/** Why one who looks on may do nothing. */
const ONLY_OPERATORS = "Only an operator may do this; you look on. Who opens the page on the server's own machine is operator.";
/** Whether the events to come happened before the page was there. */
let isCatchingUp = true;

const connection = new Connection({
  message(message) {
    world.hear(message);
    switch (message.type) {
      case "hello":
        isCatchingUp = true;
        camera.setBounds(floorBounds(message.fixtures));
        panel.showHello(message);
        board.begin(message.role);
        allow(message.role === "operator" ? "" : ONLY_OPERATORS);
        inspector.reconnect();
        drive.forget();
        void starter.begin();
        void match.begin();
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
        panel.showStatus(message);
        controls.showStatus(message);
        break;
      case "events":
        for (const event of message.events) if (!isCatchingUp || event.kind === "fault") panel.showEvent(event);
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
    isCatchingUp = false;
    world.receive(frame, performance.now());
  },
  state(isOpen, reason) {
    panel.showNotice(isOpen ? "" : `No connection to the server${reason ? `: ${reason}` : ""}. Trying again …`);
  },
});

const board = new Board({
  send: (line) => connection.send(line),
  refused: (message) => panel.showNotice(message, 5000),
});
const send = (/** @type {string} */ line) => void board.ask(line);
const sections = new Sections(element("side"), element("panel"));
const controls = new Controls({ world, camera, painter, canvas, sections, send });
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
painter.sensors = new SensorLayer(world, sensing);
painter.layers = new Layers();
const inspector = new Inspector({ board, world, painter, selection, sensing, layer: painter.sensors, layers: painter.layers });
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
});

/** @param {string} refused why only looking on is possible; empty if more is */
function allow(refused) {
  for (const part of [sections, controls, roster, cockpit, starter, match]) part.allow(refused);
}

attachPointers(canvas, camera);
new ResizeObserver(() => camera.resize(canvas.clientWidth, canvas.clientHeight)).observe(canvas);

/** @param {number} nowMs */
function drawNext(nowMs) {
  requestAnimationFrame(drawNext);
  if (world.newest) panel.showFrame(world.newest);
  painter.draw(nowMs);
}
requestAnimationFrame(drawNext);

// For tests, and for the browser's console.
Object.assign(window, { touchline: { world, camera, painter, board, selection, drive, sensing, inspector } });
