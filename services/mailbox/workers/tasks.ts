import { parseTask } from "./parse-task.ts";
import { renderBodies, renderPayload } from "./render-tasks.ts";

/** Calls a function of the service that gave the task. */
export type Call = (name: string, argument: unknown) => Promise<unknown>;

type Task = (input: never, call: Call) => Promise<unknown>;

/** What a worker can work on, by name. */
export const tasks: Readonly<Record<string, Task>> = {
  parse: parseTask,
  bodies: renderBodies,
  payload: renderPayload,
};
