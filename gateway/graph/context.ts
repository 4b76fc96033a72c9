import type { SessionChange } from "../../services/platform/graph/graph-request.ts";

/** What the parts of one graph request share. */
export interface GraphContext {
  /** Who is asking, signed for the services. */
  statement: string;
  /** The client has hung up. */
  readonly disconnected?: AbortSignal;
  /** What becomes of the browser's session: the answer's Set-Cookie. Behind a reference, since Apollo copies the context. */
  readonly session: { change?: SessionChange };
}
