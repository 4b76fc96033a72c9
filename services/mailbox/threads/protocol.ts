import type { BudgetKind } from "./budget.ts";

/**
 * Between the service and a thread: the service sends a task; while the thread works on it, it calls functions of the service and
 * waits for their results, which keeps the pace of what is read and written; at last it sends the task's result.
 */
export type ToThread = { task: string; input: unknown } | { id: number; result: unknown };

export type FromThread =
  | { id: number; call: string; argument: unknown }
  | { done: unknown }
  | { exceeded: BudgetKind }
  | { failed: { message: string; stack: string | undefined } };

/** The functions that a task may call, each with one argument that can be cloned. */
export type Functions = Readonly<Record<string, (argument: never) => Promise<unknown>>>;

/** A copy of bytes that can be transferred: what a Buffer views may belong to others too. */
export function transferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** What is transferred with a message rather than copied. */
export function transferList(value: unknown): ArrayBuffer[] {
  const values =
    value !== null && typeof value === "object" && !ArrayBuffer.isView(value) ? Object.values(value) : [value];
  return values.flatMap((each) => (each instanceof Uint8Array ? [each.buffer as ArrayBuffer] : []));
}
