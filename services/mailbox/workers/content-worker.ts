import type { FromWorker, ToWorker } from "./protocol.ts";
import { tasks } from "./tasks.ts";

// The entry of a worker process: see protocol.ts.

const calls = new Map<number, (result: unknown) => void>();
let lastId = 0;

function post(message: FromWorker): void {
  process.send?.(message);
}

/** Calls a function of the service and waits for its result. If it fails the service ends the worker. */
function call(name: string, argument: unknown): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  lastId += 1;
  calls.set(lastId, resolve);
  post({ id: lastId, call: name, argument });
  return promise;
}

async function run(name: string, input: unknown): Promise<FromWorker> {
  try {
    const task = tasks[name];
    if (!task) throw new Error(`there is no task ${name}`);
    return { done: await task(input as never, call) };
  } catch (error) {
    const { message, stack } = error as Error;
    return { failed: { message, stack } };
  }
}

process.on("message", (message: ToWorker) => {
  if ("task" in message) {
    post({ begun: true });
    void run(message.task, message.input).then(post);
  } else {
    calls.get(message.id)?.(message.result);
    calls.delete(message.id);
  }
});
// The service ends it, after the task: a signal to the whole process group is not for it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
