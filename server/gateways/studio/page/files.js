// Files that leave the page: by the browser's own way of saving.

/**
 * Saves a text, or bytes.
 * @param {BlobPart} content
 * @param {string} name
 * @param {string} type
 */
export function save(content, name, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement("a");
  [link.href, link.download] = [address, name];
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Saves what a canvas shows.
 * @param {HTMLCanvasElement} canvas
 * @param {string} name
 */
export function saveCanvas(canvas, name) {
  canvas.toBlob((picture) => {
    if (picture) save(picture, name, "image/png");
  });
}
