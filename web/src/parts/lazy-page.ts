import { type ComponentType, lazy } from "react";

const key = "postern-reloaded-for";

/** A page in a file of its own. */
export function lazyPage<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadPart(load) }));
}

/**
 * A part of the application in a file of its own. After a new release the file may be gone that an open page still asks for: then
 * the page is loaded again, once for each file, so that a file that is really missing is told rather than asked for for ever.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    const failed = `${error}`;
    if (!navigator.onLine || sessionStorage.getItem(key) === failed) throw error;
    sessionStorage.setItem(key, failed);
    location.reload();
    // Nothing is shown until the page is loaded again.
    return new Promise<never>(() => undefined);
  }
}
