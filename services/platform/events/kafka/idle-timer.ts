import { createRequire } from "node:module";

interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

/**
 * kafkajs 2.2.4 looks after each answer for requests that wait, by a timer with a negative delay that then sets itself
 * again: Node 24 warns of it, and every idle connection wakes a thousand times a second. Where nothing waits, nothing
 * need be looked for; a request that has to wait sets the timer by itself.
 */
export function patchIdleTimer(): void {
  const { prototype }: { prototype: RequestQueue } = createRequire(import.meta.url)("kafkajs/src/network/requestQueue");
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
