import { type ComponentType, createElement, lazy } from "react";

const key = "postern-reloaded-for";

/** The file of a part did not come, as without a network: it may come when it is asked for again. */
export class PartMissing extends Error {
  /** What its kind is among the graph's refusals. */
  readonly kind: Outage;
  /** Lets the part be asked for again once it is shown again: React remembers what came of the first time. */
  forget: () => void = () => undefined;

  constructor(message: string, kind: Outage) {
    super(message);
    this.kind = kind;
  }
}

export type Outage = "Unreachable" | "ServerFailed";

/** A page in a file of its own. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const askFor = () =>
    lazy(async () => {
      try {
        return { default: await loadPart(load) };
      } catch (error) {
        if (error instanceof PartMissing)
          error.forget = () => {
            Part = askFor();
          };
        throw error;
      }
    }) as ComponentType<Props>;
  let Part = askFor();
  const show = (props: Props) => createElement(Part, props);
  return show;
}

/**
 * A part of the application in a file of its own. After a new release the file may be gone that an open page still asks for: then
 * the page is loaded again, once for each file, so that a file that is really missing is told rather than asked for for ever.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    // Without a server the page could not be loaded again either.
    const outage = await findOutage();
    if (outage) throw new PartMissing(`${error}`, outage);
    const failed = `${error}`;
    if (sessionStorage.getItem(key) === failed) throw error;
    sessionStorage.setItem(key, failed);
    location.reload();
    // Nothing is shown until the page is loaded again.
    return new Promise<never>(() => undefined);
  }
}

/** Why the page could not be loaded again either, if so. */
async function findOutage(): Promise<Outage | undefined> {
  if (!navigator.onLine) return "Unreachable";
  return fetch("/", { cache: "no-store" }).then(
    ({ ok }) => (ok ? undefined : "ServerFailed"),
    () => "Unreachable",
  );
}
