// A press counts for what lay under the pointer when it began, also if the panel has moved since.

/** How far a pointer may move between press and release and still be held still, pixels. */
const STILL_PX = 4;

/**
 * The panel grows and shrinks while the world runs, and a browser clicks only what is under the pointer at press and release.
 * @param {Document} page
 */
export function attachPresses(page) {
  /** @type {{ control: HTMLElement, x: number, y: number } | null} */
  let press = null;
  page.addEventListener("pointerdown", ({ target, clientX: x, clientY: y, isPrimary, button }) => {
    const control = target instanceof Element ? target.closest("button, summary, label") : null;
    press = isPrimary && button === 0 && control instanceof HTMLElement ? { control, x, y } : null;
  }, true);
  page.addEventListener("pointercancel", () => { press = null; }, true);
  page.addEventListener("pointerup", ({ target, clientX, clientY, isPrimary }) => {
    if (!press || !isPrimary) return;
    const { control, x, y } = press;
    press = null;
    const hasMovedAway = control.isConnected && !(target instanceof Node && control.contains(target));
    if (hasMovedAway && Math.hypot(clientX - x, clientY - y) <= STILL_PX) control.click();
  }, true);
}
