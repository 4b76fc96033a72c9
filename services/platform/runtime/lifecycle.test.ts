import { expect, test } from "@jest/globals";
import { Outage } from "../errors.ts";
import { createLogger } from "../telemetry/logger.ts";
import { Lifecycle, type Module } from "./lifecycle.ts";

const logger = createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" });

function recorded(events: string[], name: string, needs: string[], more: Partial<Module> = {}): Module {
  return {
    name,
    needs,
    start: async () => void events.push(`start ${name}`),
    stop: async () => void events.push(`stop ${name}`),
    ...more,
  };
}

test("each starts after what it needs and stops before it", async () => {
  const events: string[] = [];
  const lifecycle = new Lifecycle(
    [recorded(events, "door", ["service"]), recorded(events, "service", ["store"]), recorded(events, "store", [])],
    logger,
  );
  await lifecycle.start();
  expect(await lifecycle.waiting()).toEqual([]);
  await lifecycle.stop();
  expect(events).toEqual(["start store", "start service", "start door", "stop door", "stop service", "stop store"]);
});

test("when one cannot start, those that had are stopped and the reason is thrown", async () => {
  const events: string[] = [];
  const broken = recorded(events, "service", ["store"], { start: () => Promise.reject(new Error("port taken")) });
  const lifecycle = new Lifecycle([recorded(events, "store", []), broken], logger);
  await expect(lifecycle.start()).rejects.toThrow("port taken");
  expect(events).toEqual(["start store", "stop store"]);
});

test("one that fails to stop does not keep the others", async () => {
  const events: string[] = [];
  const stubborn = recorded(events, "service", ["store"], { stop: () => Promise.reject(new Error("stuck")) });
  const lifecycle = new Lifecycle([recorded(events, "store", []), stubborn], logger);
  await lifecycle.start();
  await lifecycle.stop();
  expect(events).toEqual(["start store", "start service", "stop store"]);
});

test("what is not ready is named", async () => {
  const lifecycle = new Lifecycle(
    [recorded([], "bindings", [], { checkDependencies: () => Promise.reject(new Outage("database")) })],
    logger,
  );
  expect(await lifecycle.waiting()).toEqual([{ module: "process", reason: "new" }]);
  await lifecycle.start();
  expect(await lifecycle.waiting()).toEqual([{ module: "bindings", reason: "database is out of reach" }]);
});

test("one that was ready once is led to until it stops, whatever stores are out of reach meanwhile", async () => {
  let check = () => Promise.reject<void>(new Outage("database"));
  const lifecycle = new Lifecycle([recorded([], "bindings", [], { checkDependencies: () => check() })], logger);
  const away = [{ module: "bindings", reason: "database is out of reach" }];
  expect(await lifecycle.waitingToServe()).toEqual([{ module: "process", reason: "new" }]);
  await lifecycle.start();
  expect(await lifecycle.waitingToServe()).toEqual(away);
  check = () => Promise.resolve();
  expect(await lifecycle.waitingToServe()).toEqual([]);
  check = () => Promise.reject(new Outage("database"));
  expect(await lifecycle.waiting()).toEqual(away);
  expect(await lifecycle.waitingToServe()).toEqual([]);
  // Not even asked for: a probe would be late.
  check = () => new Promise(() => undefined);
  expect(await lifecycle.waitingToServe()).toEqual([]);
  await lifecycle.stop();
  expect(await lifecycle.waitingToServe()).toEqual([{ module: "process", reason: "stopped" }]);
});

test("what is a process's own fault keeps connections from it at all times", async () => {
  let ready = () => Promise.resolve();
  const lifecycle = new Lifecycle([recorded([], "gateway", [], { ready: () => ready() })], logger);
  await lifecycle.start();
  expect(await lifecycle.waitingToServe()).toEqual([]);
  ready = () => Promise.reject(new Error("cannot start the graph's thread"));
  const own = [{ module: "gateway", reason: "cannot start the graph's thread" }];
  expect([await lifecycle.waiting(), await lifecycle.waitingToServe()]).toEqual([own, own]);
});

test("one that begins to stop while it is asked is not ready", async () => {
  const asked = Promise.withResolvers<void>();
  const lifecycle = new Lifecycle([recorded([], "bindings", [], { checkDependencies: () => asked.promise })], logger);
  await lifecycle.start();
  const answers = [lifecycle.waiting(), lifecycle.waitingToServe()];
  await lifecycle.stop();
  asked.resolve();
  for (const answer of answers) expect(await answer).toEqual([{ module: "process", reason: "stopped" }]);
});

test("needs in a circle, and needs of nobody, are faults of ours", () => {
  expect(() => new Lifecycle([recorded([], "a", ["b"]), recorded([], "b", ["a"])], logger)).toThrow("a → b → a");
  expect(() => new Lifecycle([recorded([], "a", ["z"])], logger)).toThrow("needs z");
});
