// What helps to look: names that do not lie over each other, places and lengths, the next robot, a view that follows, and addresses.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { findRings } from "../../server/gateways/studio/page/shapes.js";
import { onPage, openPanel } from "./acting.js";
import { herd } from "./benchworld.js";
import { makeFolder, openStudio, startBrowser, startServer, withPage } from "./harness.js";
import { ask, choose, pause, soon } from "./looking.js";

/** @typedef {import("./harness.js").Studio} Studio */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof startServer>>} */
let match;
/** @type {Awaited<ReturnType<typeof startServer>>} */
let many;

before(async () => {
  browser = await startBrowser();
  match = await startServer();
  many = await startServer({ world: herd(makeFolder(), 100) });
});
after(async () => {
  await browser?.close();
  await match?.stop();
  await many?.stop();
});

/** Something that the page knows. @param {Studio} studio @param {string} what a path from `window.touchline` */
function known({ page }, what) {
  return page.evaluate((what) => {
    // @ts-expect-error The page puts it there.
    return what.split(".").reduce((found, name) => found[name], window.touchline);
  }, what);
}

/** The name of the chosen robot. @param {Studio} studio */
function chosen({ page }) {
  return page.evaluate(() => {
    // @ts-expect-error The page puts it there.
    const { world, selection } = window.touchline;
    return world.objects.get(selection.id)?.name ?? null;
  });
}

/** The bar is as long as it says. @param {Studio} studio */
async function checkScale(studio) {
  const { page } = studio;
  await soon(async () => {
    const [, length, unit] = /^(\d+) (m|cm)$/.exec((await page.locator("#scale").textContent()) ?? "") ?? [];
    const { width = 0 } = (await page.locator("#measure .bar").boundingBox()) ?? {};
    const { view: { scale } } = await studio.state();
    return Math.abs(width - scale * Number(length) * (unit === "m" ? 1 : 0.01));
  }, (off) => off < 2.5);
}

/** None lies over another one. @param {Box[]} boxes */
function assertApart(boxes) {
  for (const [at, a] of boxes.entries()) {
    for (const b of boxes.slice(at + 1)) {
      assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top, JSON.stringify([a, b]));
    }
  }
}

describe("what robots think", () => {
  withPage("is written where no name and no other text is", () => ({ browser, server: match }), async (studio) => {
    let written = 0;
    for (let pictures = 0; pictures < 40; pictures += 1) {
      const { framesDrawn } = await studio.state();
      await studio.until((state) => state.framesDrawn > framesDrawn);
      // Both of the same picture.
      const [names, texts] = await studio.page.evaluate(() => {
        // @ts-expect-error The page puts it there.
        const { painter } = window.touchline;
        return /** @type {[Box[], Box[]]} */ ([painter.names.boxes, painter.texts.boxes]);
      });
      assertApart([...names, ...texts]);
      written = Math.max(written, texts.length);
    }
    assert.ok(written >= 3, `${written} texts`);
    await studio.screenshot("thoughts-phone");
  }, { viewport: { width: 360, height: 640 } });
});

/**
 * Robots that stand far apart, on a floor with walls around, or with none.
 * @param {string} name
 * @param {[number, number] | null} size of the floor, metres
 */
function plain(name, size) {
  const [length, width] = size ?? [60, 40];
  const walls = [[length / 2, 0, 0.1, width], [-length / 2, 0, 0.1, width], [0, width / 2, length, 0.1], [0, -width / 2, length, 0.1]].map(([x, y, l, w]) =>
    `[[fixture]]\nshape = "rectangle"\nrole = "wall"\nx_m = ${x}\ny_m = ${y}\nlength_m = ${l}\nwidth_m = ${w}\n`);
  const robots = [[-0.45, -0.45], [0.45, -0.45], [0.45, 0.45], [0.1, 0.3]].map(([x, y], at) =>
    `[[robot]]\nname = "far-${at}"\nfile = "pioneer"\npose = { x_m = ${x * length}, y_m = ${y * width} }\n`);
  const file = path.join(makeFolder(), `${name}.toml`);
  writeFileSync(file, `name = "${name}"\n${size ? walls.join("") : ""}${robots.join("")}`);
  return file;
}

describe("the whole", () => {
  for (const [what, size] of /** @type {const} */ ([["of a floor of 600 by 400 m", [600, 400]], ["of a floor without walls", null]])) {
    it(`${what} is seen, on a desk and on a phone`, async () => {
      const server = await startServer({ world: plain("plain", /** @type {[number, number] | null} */ (size)) });
      for (const viewport of [{ width: 1280, height: 800 }, { width: 360, height: 640 }]) {
        const studio = await openStudio(browser, server.url, { viewport });
        const { page } = studio;
        for (const key of ["", "+", "-"]) {
          if (key) await page.keyboard.press(key);
          if (key) await page.keyboard.press("f");
          const outside = await page.evaluate((size) => {
            // @ts-expect-error The page puts it there.
            const { world, camera } = window.touchline;
            const points = [.../** @type {{ x: number, y: number }[]} */ ([...world.newest.poses.values()])];
            if (size) points.push({ x: size[0] / 2, y: size[1] / 2 }, { x: -size[0] / 2, y: -size[1] / 2 });
            return points.filter(({ x, y }) => {
              const [left, top] = camera.toScreen(x, y);
              return left < 0 || top < 0 || left > camera.width || top > camera.height;
            });
          }, /** @type {[number, number] | null} */ (size));
          assert.deepEqual(outside, []);
        }
        await studio.screenshot(`whole-${size ? "large" : "open"}-${viewport.width}`);
        await studio.close();
      }
      await server.stop();
    });
  }
});

describe("a narrow phone", () => {
  for (const width of [360, 320]) {
    withPage(`of ${width} pixels has every button as a whole`, () => ({ browser, server: match }), async (studio) => {
      const { page } = studio;
      for (const size of ["plain", "larger"]) {
        const [cut, wide] = await page.evaluate(() => {
          const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("button, select")]).filter((control) => control.checkVisibility());
          const cut = all.filter((control) => {
            const { left, right, width } = control.getBoundingClientRect();
            return left < 0 || right > innerWidth || width < 24;
          });
          return /** @type {const} */ ([cut.map(({ id }) => id), document.documentElement.scrollWidth - innerWidth]);
        });
        assert.deepEqual(cut, [], size);
        assert.ok(wide <= 0, `${size}: ${wide} wider than the window`);
        await studio.screenshot(`narrow-${width}-${size}`);
        await page.keyboard.press("z");
        await page.locator("#notice.good").waitFor();
      }
    }, { viewport: { width, height: 640 } });
  }
});

describe("a hundred robots, and nobody who judges", () => {
  withPage("have names that do not lie over each other, and no score on no grass", () => ({ browser, server: many }), async (studio) => {
    await pause(studio);
    /** @type {Box[]} */
    const boxes = await known(studio, "painter.names.boxes");
    assert.ok(boxes.length > 60, `${boxes.length} names`);
    assertApart(boxes);
    assert.equal(await studio.page.locator("#score").isVisible(), false);
    assert.equal(await studio.page.locator("#clock").isVisible(), false);
    assert.ok(await studio.pixelsLike([0x4a, 0x9a, 0x5f]) < 0.001, "grass");
    await studio.screenshot("hundred");
  }, { colorScheme: "light" });
});

describe("places and lengths", () => {
  withPage("are told under the pointer, by a bar, a grid and a ruler", () => ({ browser, server: match }), async (studio) => {
    const { page } = studio;
    await page.mouse.move(...(await onPage(studio, 1.5, -2)));
    assert.match((await page.locator("#place").textContent()) ?? "", /^x 1\.(49|50|51) m, y −(1\.99|2\.00|2\.01) m$/);
    await checkScale(studio);
    await page.keyboard.press("z");
    await page.locator("#notice.good", { hasText: "1.25 times" }).waitFor();
    await studio.until(({ framesDrawn }) => framesDrawn > 0);
    await checkScale(studio);
    for (let more = 0; more < 3; more += 1) await page.keyboard.press("z");

    // With the grid and without it, one after the other: the writing may still be changing its size.
    const grassAfterG = async () => {
      await page.keyboard.press("g");
      const drawn = (await studio.state()).framesDrawn;
      await studio.until(({ framesDrawn }) => framesDrawn > drawn + 1);
      return studio.pixelsLike([0x4a, 0x9a, 0x5f]);
    };
    await soon(async () => await grassAfterG() / await grassAfterG(), (ratio) => ratio < 0.99);
    await page.keyboard.press("g");

    await page.keyboard.press("d");
    await page.mouse.move(...(await onPage(studio, -3, 0)));
    await page.mouse.down();
    await page.mouse.move(...(await onPage(studio, 0, 2)));
    await page.mouse.up();
    const { from, to } = await known(studio, "painter.marks.ruler");
    assert.ok(Math.abs(Math.hypot(to[0] - from[0], to[1] - from[1]) - Math.hypot(3, 2)) < 0.02);
    assert.equal((await studio.state()).view.fitted, true, "the view has not moved");
    await studio.screenshot("ruler");
    await page.keyboard.press("d");
    assert.equal(await known(studio, "painter.marks.ruler"), null);
  }, { colorScheme: "light" });

  it("a circle of straight lines is found, and nothing else is taken for one", () => {
    const parts = Array.from({ length: 16 }, (_, at) => /** @type {import("../../server/gateways/studio/page/protocol.js").Look & import("../../server/gateways/studio/page/protocol.js").Boxed} */ ({
      kind: "rectangle", x: 2 + Math.cos((at * Math.PI) / 8), y: Math.sin((at * Math.PI) / 8), angle: ((at + 4) * Math.PI) / 8,
      half: [0.2, 0.025], colour: "#ffffff", role: "line", solid: false, team: null, z: [0, 0],
    }));
    const { rings: [ring, ...more], rest } = findRings([...parts, { ...parts[0], x: 0, half: [3, 0.025] }]);
    assert.equal(more.length, 0);
    assert.equal(rest.length, 1);
    assert.ok(Math.hypot(ring.x - 2, ring.y) < 1e-9 && ring.radius > 1 && ring.radius < 1.02 && ring.width === 0.05);
    assert.equal(findRings(parts.map((part, at) => ({ ...part, x: at }))).rings.length, 0, "a row is no ring");
  });
});

describe("the chosen robot", () => {
  withPage("is the next one by J, K and Tab, and Tab leaves the field after the last", () => ({ browser, server: match }), async (studio) => {
    const { page } = studio;
    await page.locator("#field").focus();
    await page.keyboard.press("j");
    const first = await chosen(studio);
    await page.keyboard.press("j");
    const second = await chosen(studio);
    assert.notEqual(first, second);
    await page.keyboard.press("k");
    assert.equal(await chosen(studio), first);
    await page.keyboard.press("Tab");
    assert.equal(await chosen(studio), second);
    const robots = (await studio.state()).objects.filter(({ kind }) => kind === "robot").length;
    for (let presses = 1; presses < robots; presses += 1) await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.id === "field"), false, "nobody is held on the field");
    await page.locator("#field").focus();
    await page.keyboard.press("Escape");
    assert.equal(await chosen(studio), null);
  });

  withPage("stays in the middle of the view while it is followed", () => ({ browser, server: match }), async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    const id = await choose(studio, "blue-2");
    await page.locator("#field").focus();
    await page.keyboard.press("o");
    await studio.until(({ view }) => !view.fitted);
    await pause(studio);
    await soon(() => page.evaluate((id) => {
      // @ts-expect-error The page puts it there.
      const { world, camera } = window.touchline;
      const { x, y } = world.newest.poses.get(id);
      return Math.hypot(x - camera.x, y - camera.y);
    }, id), (off) => off < 0.01);
    await page.keyboard.press("o");
    await page.keyboard.press("Space");
    await studio.until(({ status }) => !status.paused);
  });
});

describe("a press", () => {
  withPage("counts for the button that it began on, also if the panel moved since", () => ({ browser, server: match }), async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    await pause(studio);
    const copy = page.getByRole("button", { name: "Copy the address" });
    // The panel may still be filling, so that the pointer is over something else when it goes down.
    await soon(async () => {
      await copy.hover();
      await page.mouse.down();
      await copy.evaluate((button) => button.before(Object.assign(document.createElement("div"), { id: "wedge", style: "height: 80px" })));
      await page.mouse.up();
      await page.locator("#wedge").evaluate((wedge) => wedge.remove());
      return page.locator("#address").inputValue();
    }, (address) => URL.canParse(address));
    await page.locator("#address").evaluate((/** @type {HTMLInputElement} */ address) => { address.value = ""; });
    await copy.hover();
    await page.mouse.down();
    await page.mouse.move(2, 2, { steps: 3 });
    await page.mouse.up();
    assert.equal(await page.locator("#address").inputValue(), "", "who draws away takes the press back");
    await page.getByRole("button", { name: "Resume" }).click();
    await studio.until(({ status }) => !status.paused);
  });
});

describe("what anybody may publish", () => {
  withPage("hangs nothing, however far away it is said to be", () => ({ browser, server: match }), async (studio) => {
    for (const [key, at] of [["far", "1e17"], ["further", "1e300"], ["back", "-1e25"]]) {
      await ask(studio, `ANNOTATE blue-2 ${key} {"frame": "world", "at": [${at}, ${at}], "text": "here"}`);
    }
    await soon(() => known(studio, "world.annotations.size"), (size) => size > 0);
    // Each of these is a picture more.
    const { status: { newest } } = await studio.state();
    await studio.until(({ status }) => status.newest > newest + 20);
    for (const key of ["far", "further", "back"]) await ask(studio, `ANNOTATE blue-2 ${key} null`);
  });

  withPage("leaves the rest of the picture as it is, whatever is in it", () => ({ browser, server: match }), async (studio) => {
    // No value becomes a text or a number by itself where its own words say how.
    const odd = [
      '{"text": {"toString": 1}, "at": [0, 0]}',
      '{"text": [{"toString": 1}], "at": [0, 0]}',
      '{"circle": [0, 0], "radius_m": {"toString": 1, "valueOf": 1}}',
      '{"circle": [0, 0], "radius_m": [{"toString": 1}]}',
      '{"circle": [0, 0], "radius_m": -1}',
      '{"colour": {"toString": 1}, "frame": {"toString": 1}, "pose": [{"toString": 1}, 0, 0], "line": [[0, 0], {"toString": 1}]}',
      '[null, 1, "a", [{"text": {"toString": 1}, "at": [0, 0]}], {"points": {"length": 2}, "poses": "ab", "polygon": [[]]}]',
      '{"__proto__": {"text": {"toString": 1}}, "at": [0, 0]}',
    ];
    for (const [at, value] of odd.entries()) await ask(studio, `ANNOTATE blue-2 odd${at} ${value}`);
    await ask(studio, 'ANNOTATE blue-2 sound {"circle": [0, 0], "radius_m": 0.8, "colour": "#ff00ff", "text": "here I am", "at": [0, 0]}');
    // What robots publish is told more often than this.
    for (let told = 0; told < 2; told += 1) await studio.nextStatus();
    assert.deepEqual(studio.complaints, []);
    await soon(() => studio.pixelsLike([255, 0, 255]), (part) => part > 0);
    const written = () => known(studio, "painter.texts.boxes.length");
    await soon(written, (count) => count > 0);
    const { framesDrawn } = await studio.state();
    await studio.until((state) => state.framesDrawn > framesDrawn + 20);
    // The tree of what the robot publishes shows it too.
    await openPanel(studio);
    await choose(studio, "blue-2");
    await studio.page.locator("#inspector summary", { hasText: "Annotations" }).click();
    const tree = studio.page.locator(".tree");
    for (const key of ["odd0", "text"]) await tree.getByText(key, { exact: true }).first().click();
    await tree.getByText("toString", { exact: true }).first().waitFor();
    for (const key of ["sound", ...odd.keys()]) await ask(studio, `ANNOTATE blue-2 ${key === "sound" ? key : `odd${key}`} null`);
  });
});

describe("an address", () => {
  withPage("carries view, chosen robot and tick to who opens it", () => ({ browser, server: match }), async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    await choose(studio, "yellow-2");
    await page.keyboard.press("+");
    const { status: { newest } } = await studio.until(({ status }) => status.newest > 200);
    const tick = newest - 100;
    // @ts-expect-error The page puts it there.
    await page.evaluate((tick) => window.touchline.playhead.goTo(tick), tick);
    await studio.until(({ looking }) => looking === tick);
    await page.getByRole("button", { name: "Copy the address" }).click();
    const address = await page.locator("#address").inputValue();
    const { view } = await studio.state();
    const other = await openStudio(browser, address);
    const seen = await other.until(({ looking }) => looking === tick);
    assert.ok(Math.abs(seen.view.scale - view.scale) < 0.01 && Math.abs(seen.view.x - view.x) < 0.01);
    assert.equal(await chosen(other), "yellow-2");
    // So it does in a tab that has the page open, while time stands as well; and how fast the ball was is known there.
    await other.page.keyboard.press("Escape");
    await other.until(({ looking }) => looking === null);
    await other.page.keyboard.press("Escape");
    assert.equal(await chosen(other), null);
    await pause(other);
    await other.page.evaluate((hash) => (location.hash = hash), new URL(address).hash);
    await other.until(({ looking, step }) => looking === tick && step === tick);
    assert.equal(await chosen(other), "yellow-2");
    await ask(other, "RESUME");
    await other.close();
  });
});
