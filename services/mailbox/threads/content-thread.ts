import { parentPort } from "node:worker_threads";
import { BudgetExceeded } from "./budget.ts";
import { type FromThread, type ToThread, transferList } from "./protocol.ts";
import { tasks } from "./tasks.ts";

// The entry of a thread: see protocol.ts.

const port = parentPort;
if (!port) throw new Error("content-thread.ts is the entry of a thread");

const calls = new Map<number, (result: unknown) => void>();
let lastId = 0;

/** Calls a function of the service and waits for its result. If it fails the service ends the thread. */
function call(name: string, argument: unknown): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  lastId += 1;
  calls.set(lastId, resolve);
  port?.postMessage({ id: lastId, call: name, argument } satisfies FromThread, transferList(argument));
  return promise;
}

async function run(name: string, input: unknown): Promise<FromThread> {
  try {
    const task = tasks[name];
    if (!task) throw new Error(`there is no task ${name}`);
    return { done: await task(input as never, call) };
  } catch (error) {
    if (error instanceof BudgetExceeded) return { exceeded: error.kind };
    const { message, stack } = error as Error;
    return { failed: { message, stack } };
  }
}

port.on("message", (message: ToThread) => {
  if ("task" in message) void run(message.task, message.input).then((end) => port.postMessage(end));
  else {
    calls.get(message.id)?.(message.result);
    calls.delete(message.id);
  }
});
