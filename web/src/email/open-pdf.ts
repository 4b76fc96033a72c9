/** Readers of PDF look for its mark this far in. */
const markWithinBytes = 1_024;
/** The viewer has read it by then. */
const keptMs = 60_000;

/**
 * Opens a PDF in the browser's viewer, in a page that knows nothing of this one. What a stranger sent is PDF there or nothing: its type is
 * the one given here, never one that its bytes suggest, and what is made of this page's own bytes has this page's content security policy.
 * @returns false for what is none
 */
export async function openPdf(path: string): Promise<boolean> {
  const response = await fetch(path);
  if (!response.ok) return false;
  const bytes = await response.arrayBuffer();
  if (!new TextDecoder("latin1").decode(bytes.slice(0, markWithinBytes)).includes("%PDF-")) return false;
  const url = URL.createObjectURL(new Blob([bytes], { type: "application/pdf" }));
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
  window.open(url, "_blank", "noopener,noreferrer");
  return true;
}
