/**
 * Between the service and a worker: the service sends a task, and the worker says that it has it; while it works on it, it calls functions of the service and
 * waits for their results, which keeps the pace of what is read and written; at last it sends the task's result.
 */
export type ToWorker = { task: string; input: unknown } | { id: number; result: unknown };

export type FromWorker =
  | { begun: true }
  | { id: number; call: string; argument: unknown }
  | { done: unknown }
  | { failed: { message: string; stack: string | undefined } };

/** The functions that a task may call, each with one argument that can be cloned. */
export type Functions = Readonly<Record<string, (argument: never) => Promise<unknown>>>;
