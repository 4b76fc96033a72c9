/** A mail that is longer scrolls in its frame: one that grows with its frame would grow for ever. */
const tallestPx = 8_000;

/** What is a little wider than the frame is made smaller as it is; anything smaller than this is hard to read. */
const gentleZoom = 0.8;

/** Smaller than this, it could not be read: what is still wider scrolls in its frame. */
const smallestZoom = 0.6;

/** In a table that is too wide, what is narrower than this share of the frame keeps its width: icons, and cells that only keep others apart. */
const narrowShare = 0.25;

/**
 * Makes what is wider than the frame fit it, and keeps the frame as tall as what is in it, until what this gives back is called.
 * First the widths that the sender fixed are loosened, so that text wraps at its own size; what is wider even then is made smaller.
 */
export function fitMail(frame: HTMLIFrameElement, inner: Document): () => void {
  const root = inner.documentElement;
  const share = () => root.clientWidth / root.scrollWidth;
  let loosened: readonly Loosened[] = [];
  const observer = new ResizeObserver(() => {
    root.style.zoom = "1";
    for (const { element, style } of loosened) element.style.cssText = style;
    loosened = share() < gentleZoom ? loosen(root) : [];
    if (share() < 1) root.style.zoom = String(Math.max(share(), smallestZoom));
    const heightPx = Math.min(Math.ceil(root.getBoundingClientRect().height), tallestPx);
    const bordersPx = frame.offsetHeight - frame.clientHeight;
    frame.style.height = `${heightPx + bordersPx}px`;
  });
  observer.observe(inner.body);
  return () => observer.disconnect();
}

interface Loosened {
  element: HTMLElement;
  /** As the sender wrote it, for when there is more room. */
  style: string;
}

function loosen(root: HTMLElement): Loosened[] {
  const roomPx = root.clientWidth;
  // All is measured before anything is changed, so that the mail is laid out once for it.
  const wide = new Set(
    [...root.querySelectorAll<HTMLElement>("body, body *")].filter(
      ({ offsetWidth, scrollWidth }) => Math.max(offsetWidth, scrollWidth) > roomPx,
    ),
  );
  const parts = [...wide].flatMap((element) =>
    element.tagName === "TABLE" ? [...element.querySelectorAll<HTMLElement>("table, td, th, col, div, img")] : [],
  );
  const changes = [...new Set([...wide, ...parts.filter(({ offsetWidth }) => offsetWidth > roomPx * narrowShare)])].map(
    (element) => ({ element, style: element.style.cssText, looser: looserStyle(element, wide.has(element)) }),
  );
  // Important, as the sender's own may be.
  for (const { element, looser } of changes)
    for (const [name, value] of Object.entries(looser)) element.style.setProperty(name, value, "important");
  return changes;
}

function looserStyle(element: HTMLElement, isWide: boolean): Record<string, string> {
  if (element.tagName === "IMG") return { "max-width": "100%", height: "auto" };
  const width = element.tagName === "TABLE" ? "100%" : "auto";
  const loose = { width, "min-width": "0", "max-width": "100%" };
  // In a table of many columns each would be a letter wide.
  if (!isWide || element.matches("table, thead, tbody, tfoot, tr") || element.querySelector("table")) return loose;
  const isKept = element.ownerDocument.defaultView?.getComputedStyle(element).whiteSpace.startsWith("pre");
  return { ...loose, "white-space": isKept ? "pre-wrap" : "normal", "overflow-wrap": "anywhere" };
}
