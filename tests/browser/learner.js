// A learner in Python, whose environment is shown in the studio.

import { execFileSync, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TARGET = process.env.CARGO_TARGET_DIR ?? path.join(ROOT, "target");
/** A Python that has the package: `TOUCHLINE_PYTHON`, or the one that `cargo verify` makes for the package's tests. */
export const PYTHON = process.env.TOUCHLINE_PYTHON ?? path.join(TARGET, "verify/python-package/bin/python3");

/** An attacker that drives at where the ball is, and kicks; it goes on until it is ended. */
const LEARNER = `
import math
import gymnasium
import numpy
import touchline

env = gymnasium.make("touchline/Goalkeeper-v0", level="block-2", render_mode="human", browser=False, clip=True)
names = env.unwrapped.batch.observation_names
ball = [next(i for i, name in enumerate(names) if "ball" in name and name.endswith(end)) for end in (".x", ".y")]
observation, _ = env.reset(seed=1)
while True:
    x, y = observation[ball]
    action = numpy.zeros(env.action_space.shape, numpy.float32)
    action[0], action[1], action[-1] = 0.4, math.atan2(y, x), 1.0 if math.hypot(x, y) < 0.4 else -1.0
    observation, _, terminated, truncated, _ = env.step(action)
    if terminated or truncated:
        observation, _ = env.reset()
`;

export function hasPackage() {
  try {
    execFileSync(PYTHON, ["-c", "import gymnasium, touchline; touchline.Batch.watch"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Starts it; gives the page's address, as it tells it. */
export async function startLearner() {
  const child = spawn(PYTHON, ["-c", LEARNER], { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    let said = "";
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the learner ended with code ${code}:\n${said}`)));
    createInterface({ input: child.stderr }).on("line", (line) => {
      said += `${line}\n`;
      const told = /^touchline: watch at (http:.*)$/.exec(line);
      if (told) resolve(told[1]);
    });
  });
  return {
    url,
    stop() {
      process.removeListener("exit", kill);
      kill();
    },
  };
}
