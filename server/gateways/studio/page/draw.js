// Draws the world: what stands still from a picture of its own, the rest anew each time.

import { drawAnnotations } from "./drawings.js";
import { drawFloor } from "./floor.js";
import { drawPlace, drawRing, drawRuler, drawShot } from "./marks.js";
import { Names } from "./names.js";
import { currentTheme, PALETTES } from "./palette.js";
import { WORLD_ID } from "./protocol.js";
import { outline } from "./shapes.js";
import { uiScale } from "./size.js";
import { Texts } from "./texts.js";

/**
 * @typedef {import("./protocol.js").Pose} Pose
 * @typedef {import("./protocol.js").WorldObject} WorldObject
 */

/** A ball is never drawn smaller than this, pixels. */
const SMALLEST_BALL_PX = 3.5;

/** An edge around the arrow of a smaller robot is not seen, pixels. */
const SMALL_ROBOT_PX = 9;
/** From afar a robot is a dot of this radius, pixels. */
const SMALLEST_ROBOT_PX = 2.5;
/** A ball that is a metre high is drawn so far above its shadow, metres. */
const LIFT = 0.6;
/** A lower height is not told as a number, metres. */
const LEAST_TOLD_M = 0.01;
/** @type {Pose} What the world publishes is drawn from here. */
const ORIGIN = { x: 0, y: 0, theta: 0 };
/** With more objects than this, what takes long is drawn more simply. */
const MANY = 60;

export class Painter {
  options = { names: true, trails: false, thoughts: true, sensors: true, grid: false };
  /** @type {import("./sensorlayer.js").SensorLayer | null} */
  sensors = null;
  /** @type {import("./layers.js").Layers | null} Which drawings are left out. */
  layers = null;
  /** @type {{ id: number, pose: Pose } | null} Where somebody is about to put an object. */
  ghost = null;
  /** @type {import("./marks.js").Marks} */
  marks = { selected: null, driven: null, place: null, shot: null, ruler: null };
  framesDrawn = 0;
  names = new Names();
  texts = new Texts();
  /** What is to be written into the picture, once the names have their places. @type {import("./texts.js").Text[]} */
  #texts = [];
  #canvas;
  #context;
  #still = document.createElement("canvas");
  #stillKey = "";
  /** The same, and over it what sensors say that lies on the floor: both are drawn anew much less often than robots. */
  #ground = document.createElement("canvas");
  #groundKey = "";
  #drawnKey = "";
  /** @type {WeakMap<WorldObject, { path: Path2D, colour: string }[]>} */
  #paths = new WeakMap();

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {import("./world.js").World} world
   * @param {import("./camera.js").Camera} camera
   */
  constructor(canvas, world, camera) {
    this.#canvas = canvas;
    this.#context = context2d(canvas);
    this.world = world;
    this.camera = camera;
  }

  /**
   * Draws one picture, unless it would be the same as the last.
   * @param {number} nowMs
   */
  draw(nowMs) {
    const { world, camera } = this;
    const ratio = devicePixelRatio || 1;
    const poses = world.posesAt(nowMs);
    const stillKey = [camera.matrix(), camera.width, camera.height, ratio, currentTheme(), this.options.grid, world.fixturesVersion].join();
    const drawnKey = [stillKey, uiScale(), world.version, Object.values(this.options), this.sensors?.version, this.layers?.version, this.ghost && Object.values(this.ghost.pose), JSON.stringify(this.marks)].join();
    if (drawnKey === this.#drawnKey) return;
    if (stillKey !== this.#stillKey) this.#drawStill(ratio);
    this.#drawnKey = drawnKey;
    this.#stillKey = stillKey;

    const context = this.#context;
    // Those of a picture that was never done would stay.
    this.#texts = [];
    context.setTransform(1, 0, 0, 1, 0, 0);
    const [groundKey, begun] = [this.#groundKey, performance.now()];
    // A browser may draw what it is told only when it is copied.
    context.drawImage(this.#groundOf(poses, ratio), 0, 0);
    if (this.#groundKey !== groundKey) this.sensors?.took(performance.now() - begun);
    const [balls, robots] = [this.#objects("ball", poses), this.#objects("robot", poses)];
    if (this.options.trails) for (const [object] of [...robots, ...balls]) this.#drawTrail(object, ratio);
    for (const [object, pose] of robots) this.#drawRobot(object, pose, ratio);
    for (const [object, pose] of balls) this.#drawBall(object, pose, ratio);
    if (this.options.sensors) this.sensors?.draw(context, camera, ratio, poses, "above");
    if (this.options.thoughts) {
      this.#drawThoughts(WORLD_ID, ORIGIN, ratio);
      for (const [object, pose] of robots) this.#drawThoughts(object.id, pose, ratio);
    }
    this.names.draw(context, ratio, this.options.names ? robots.map(([object, pose]) => this.#label(object, pose)) : []);
    this.texts.draw(context, ratio, this.#texts, this.names.cells);
    this.#drawGhost(ratio);
    this.#drawMarks(poses, ratio);
    this.framesDrawn += 1;
  }

  /**
   * @param {"ball" | "robot"} kind
   * @param {Map<number, Pose>} poses
   */
  #objects(kind, poses) {
    /** @type {[WorldObject, Pose][]} */
    const found = [];
    for (const [id, pose] of poses) {
      const object = this.world.objects.get(id);
      if (object?.kind === kind) found.push([object, pose]);
    }
    return found;
  }

  /** @param {number} ratio */
  #drawStill(ratio) {
    const { camera } = this;
    const width = Math.round(camera.width * ratio);
    const height = Math.round(camera.height * ratio);
    for (const canvas of [this.#canvas, this.#still]) {
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
    }
    drawFloor(context2d(this.#still), this.world.hello, camera, ratio, this.options.grid);
  }

  /**
   * The picture of all that lies under robots.
   * @param {Map<number, Pose>} poses
   * @param {number} ratio
   */
  #groundOf(poses, ratio) {
    const { sensors } = this;
    if (!this.options.sensors || !sensors?.isShown) return this.#still;
    const key = [this.#stillKey, sensors.version].join();
    if (key === this.#groundKey) return this.#ground;
    this.#groundKey = key;
    const { width, height } = this.#still;
    if (this.#ground.width !== width || this.#ground.height !== height) [this.#ground.width, this.#ground.height] = [width, height];
    const context = context2d(this.#ground);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#still, 0, 0);
    sensors.draw(context, this.camera, ratio, poses, "below");
    return this.#ground;
  }

  /**
   * The canvas's metres become an object's own.
   * @param {Pose} pose
   * @param {number} ratio
   */
  #enter(pose, ratio) {
    this.#context.setTransform(...this.camera.matrix(ratio));
    this.#context.translate(pose.x, pose.y);
    this.#context.rotate(pose.theta);
  }

  /**
   * @param {WorldObject} robot
   * @param {Pose} pose
   * @param {number} ratio
   */
  #drawRobot(robot, pose, ratio) {
    const context = this.#context;
    const palette = PALETTES[currentTheme()];
    let paths = this.#paths.get(robot);
    if (!paths) {
      paths = robot.shapes.map((shape) => ({ path: outline(shape), colour: shape.colour }));
      this.#paths.set(robot, paths);
    }
    this.#enter(pose, ratio);
    context.lineWidth = 1.5 / this.camera.scale;
    context.strokeStyle = robot.fault ? "#ff4d3d" : palette.edge;
    if (robot.radius * this.camera.scale < SMALLEST_ROBOT_PX) {
      this.#drawDot(robot);
      return;
    }
    for (const { path, colour } of paths) {
      context.fillStyle = colour;
      context.fill(path);
      context.stroke(path);
    }
    // Where it looks.
    const r = robot.radius;
    context.beginPath();
    context.moveTo(0.7 * r, 0);
    context.lineTo(0.12 * r, 0.34 * r);
    context.lineTo(0.28 * r, 0);
    context.lineTo(0.12 * r, -0.34 * r);
    context.closePath();
    // Of every other team it is dark: who sees fewer colours tells teams by that.
    const isDark = (robot.team ?? 0) % 2 === 1;
    context.fillStyle = isDark ? "#000000" : "#ffffff";
    context.fill();
    // An edge around so little is not seen, but for a dark one on a dark robot.
    if (r * this.camera.scale < SMALL_ROBOT_PX && !isDark) return;
    context.strokeStyle = isDark ? "#ffffffd0" : "#00000090";
    context.lineWidth = 1 / this.camera.scale;
    context.stroke();
  }

  /** A robot that is too small to show where it looks; its heart is its team's as the arrow is. @param {WorldObject} robot */
  #drawDot({ colour, team }) {
    const context = this.#context;
    const radius = SMALLEST_ROBOT_PX / this.camera.scale;
    const ink = (team ?? 0) % 2 === 1 ? "#000000" : "#ffffff";
    for (const [part, fill] of /** @type {const} */ ([[1, colour], [0.4, ink]])) {
      context.beginPath();
      context.arc(0, 0, part * radius, 0, 2 * Math.PI);
      context.fillStyle = fill;
      if (part === 1) context.stroke();
      context.fill();
    }
  }

  /**
   * @param {number} id a robot's, or the world's
   * @param {Pose} pose
   * @param {number} ratio
   */
  #drawThoughts(id, pose, ratio) {
    const published = this.world.annotations.get(id);
    if (!published) return;
    const values = this.layers?.shown(id, published) ?? published;
    this.#context.setTransform(...this.camera.matrix(ratio));
    const { selected, driven } = this.marks;
    const rank = id === driven || id === selected ? 0 : 1;
    drawAnnotations(this.#context, values, pose, this.camera.scale, (x, y, text, colour) => {
      const [left, top] = this.camera.toScreen(x, y);
      this.#texts.push({ key: `${id} ${text}`, text, x: left, y: top, colour, rank });
    });
  }

  /** @param {number} ratio */
  #drawGhost(ratio) {
    const object = this.ghost && this.world.objects.get(this.ghost.id);
    if (!this.ghost || !object) return;
    this.#context.globalAlpha = 0.6;
    if (object.kind === "ball") this.#drawBall(object, this.ghost.pose, ratio);
    else this.#drawRobot(object, this.ghost.pose, ratio);
    this.#context.globalAlpha = 1;
  }

  /**
   * @param {Map<number, Pose>} poses
   * @param {number} ratio
   */
  #drawMarks(poses, ratio) {
    const { selected, driven, place, shot, ruler } = this.marks;
    this.#context.setTransform(...this.camera.matrix(ratio));
    for (const id of new Set([selected, driven])) {
      const [pose, robot] = [poses.get(id ?? -1), this.world.objects.get(id ?? -1)];
      if (pose && robot) drawRing(this.#context, pose, robot.radius, this.camera.scale, id === driven);
    }
    if (place) drawPlace(this.#context, place, this.camera.scale);
    if (shot) drawShot(this.#context, shot, this.camera, ratio);
    if (ruler) drawRuler(this.#context, ruler, this.camera, ratio);
  }

  /**
   * @param {WorldObject} ball
   * @param {Pose} pose
   * @param {number} ratio
   */
  #drawBall(ball, pose, ratio) {
    const context = this.#context;
    const z = pose.z ?? 0;
    const radius = Math.max(ball.radius, SMALLEST_BALL_PX / this.camera.scale);
    const place = z > 0 ? this.#lifted(pose, z) : pose;
    if (z > 0) this.#drawShadow(pose, place, z, radius, ratio);
    this.#enter({ ...place, theta: 0 }, ratio);
    context.beginPath();
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    context.fillStyle = ball.colour;
    context.fill();
    context.lineWidth = 1.2 / this.camera.scale;
    context.strokeStyle = "#000000b0";
    context.stroke();
    context.beginPath();
    context.arc(-0.3 * radius, 0.3 * radius, 0.28 * radius, 0, 2 * Math.PI);
    context.fillStyle = "#ffffff90";
    context.fill();
  }

  /**
   * Where something in the air is drawn: up the screen from where it is over the floor.
   * @param {Pose} pose
   * @param {number} z metres
   * @returns {Pose}
   */
  #lifted(pose, z) {
    const [left, top] = this.camera.toScreen(pose.x, pose.y);
    const [x, y] = this.camera.toWorld(left, top - LIFT * z * this.camera.scale);
    return { ...pose, x, y };
  }

  /**
   * Where a ball in the air is over the floor, how far it is above that, and a number for it.
   * @param {Pose} pose
   * @param {Pose} place where it is drawn
   * @param {number} z metres
   * @param {number} radius metres
   * @param {number} ratio
   */
  #drawShadow(pose, place, z, radius, ratio) {
    const context = this.#context;
    this.#enter({ ...pose, theta: 0 }, ratio);
    context.beginPath();
    context.arc(0, 0, 0.85 * radius, 0, 2 * Math.PI);
    context.fillStyle = "#00000080";
    context.fill();
    context.beginPath();
    context.moveTo(0, 0);
    context.lineTo(place.x - pose.x, place.y - pose.y);
    context.lineWidth = 1 / this.camera.scale;
    context.strokeStyle = "#ffffff90";
    context.stroke();
    if (!this.options.names || z < LEAST_TOLD_M) return;
    const [x, y] = this.camera.toScreen(place.x, place.y);
    const text = `${z.toFixed(2)} m high`;
    this.#texts.push({ key: "height", text, x: x + this.camera.scale * radius, y, colour: PALETTES[currentTheme()].label, rank: 0 });
  }

  /**
   * @param {WorldObject} robot
   * @param {Pose} pose
   * @returns {import("./names.js").Label}
   */
  #label({ id, name, fault, radius }, pose) {
    const [x, y] = this.camera.toScreen(pose.x, pose.y);
    const { selected, driven } = this.marks;
    const rank = id === driven ? 0 : id === selected ? 1 : fault ? 2 : 3;
    return { id, text: fault ? `${name} (stopped)` : name, x, y, radius: radius * this.camera.scale, rank };
  }

  /**
   * @param {WorldObject} object
   * @param {number} ratio
   */
  #drawTrail(object, ratio) {
    const context = this.#context;
    const trail = this.world.trail(object.id);
    if (trail.length < 2) return;
    context.setTransform(...this.camera.matrix(ratio));
    context.strokeStyle = object.colour;
    const isMany = this.world.objects.size > MANY;
    context.lineCap = isMany ? "butt" : "round";
    context.lineJoin = isMany ? "bevel" : "round";
    context.lineWidth = 2.5 / this.camera.scale;
    // Fades in a few parts: a path for each point would be many.
    const parts = isMany ? 2 : 5;
    for (let part = 0; part < parts; part += 1) {
      const from = Math.floor((part * (trail.length - 1)) / parts);
      const to = Math.floor(((part + 1) * (trail.length - 1)) / parts);
      context.globalAlpha = (0.75 * (part + 1)) / parts;
      context.beginPath();
      context.moveTo(trail[from].x, trail[from].y);
      for (let at = from + 1; at <= to; at += 1) context.lineTo(trail[at].x, trail[at].y);
      context.stroke();
    }
    context.globalAlpha = 1;
  }
}

/** @param {HTMLCanvasElement} canvas */
function context2d(canvas) {
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) throw new Error("this browser has no 2D canvas");
  return context;
}
