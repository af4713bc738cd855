// Puts the page together: connection, world, camera, picture, panel, buttons.

import { Board } from "./board.js";
import { attachPointers, Camera } from "./camera.js";
import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { attachHand } from "./drag.js";
import { floorBounds, Painter } from "./draw.js";
import { applyTheme } from "./palette.js";
import { element, Panel } from "./panel.js";
import { VERSION } from "./protocol.js";
import { World } from "./world.js";

applyTheme();

/** @type {HTMLCanvasElement} */
const canvas = element("field");
const world = new World();
const camera = new Camera();
const painter = new Painter(canvas, world, camera);
const panel = new Panel();
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
        controls.showRole(message.role);
        board.begin(message.role);
        if (message.version !== VERSION) panel.showNotice("The server is another version: reload this page.");
        break;
      case "game":
        panel.showGame(message, world.hello?.teams ?? []);
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
const controls = new Controls({ world, camera, painter, canvas, send: (line) => void board.ask(line) });
attachHand(canvas, { world, camera, painter, send: (line) => void board.ask(line) });
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
Object.assign(window, { touchline: { world, camera, painter, board } });
