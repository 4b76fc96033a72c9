/** How many pages of a list are loaded, of anything that was read: one that is loaded in pages would be asked for page by page. */
export function pageCount(data: unknown): number {
  return typeof data === "object" && data !== null && "pages" in data && Array.isArray(data.pages)
    ? data.pages.length
    : 1;
}
