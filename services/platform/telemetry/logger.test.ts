import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { Outage } from "../errors.ts";
import { IdOnlyTracer } from "./id-only-tracer.ts";
import { createLogger, observeLines } from "./logger.ts";
import { withSpan } from "./spans.ts";

beforeEach(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new IdOnlyTracer());
});
afterEach(() => {
  for (const api of [trace, context]) api.disable();
});

test("a line for people ends with its trace, and one outside any trace has none", async () => {
  const written: string[] = [];
  const stdout = jest.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const logger = createLogger({ LOG_LEVEL: "info", LOG_FORMAT: "text" });
  const traceId = await withSpan("work", {}, async (span) => {
    logger.info({ service: "ingress", emailId: "one" }, "message accepted");
    return span.spanContext().traceId;
  });
  logger.warn({}, "nothing to do");
  stdout.mockRestore();
  expect(written).toEqual([
    expect.stringMatching(
      new RegExp(`^[\\d:.]{12} info {2}ingress: message accepted emailId=one traceId=${traceId}\n$`),
    ),
    expect.stringMatching(/^[\d:.]{12} warn {2}postern: nothing to do\n$/),
  ]);
});

const lines: Record<string, unknown>[] = [];
afterEach(() => {
  lines.length = 0;
  observeLines(undefined);
});

function logged(write: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown> {
  observeLines((line) => lines.push(JSON.parse(line)));
  write(createLogger({ LOG_LEVEL: "info", LOG_FORMAT: "json" }));
  return lines[0] ?? {};
}

test("strikes secrets out by name, of a line and of the objects in it", () => {
  const request = { url: "/", authorization: "Bearer a", secret: "b" };
  const line = logged((logger) => logger.info({ password: "c", request, sizes: [1], nothing: null }, "asked"));
  expect(line).toMatchObject({
    password: "[secret]",
    request: { url: "/", authorization: "[secret]", secret: "[secret]" },
    sizes: [1],
    nothing: null,
    msg: "asked",
  });
  expect(request.secret).toBe("b");
});

test("strikes secrets out of what a child's lines say, and of the child", () => {
  const line = logged((logger) =>
    logger.child({ service: "auth", token: "a" }).warn({ user: { token: "b" } }, "asked"),
  );
  expect(line).toMatchObject({ service: "auth", token: "[secret]", user: { token: "[secret]" } });
});

test("strikes secrets out of an error, of which all else is told", () => {
  const error = Object.assign(new TypeError("refused", { cause: new Error("too late") }), { token: "a", code: "E" });
  const line = logged((logger) => logger.error({ err: error }, "failed"));
  expect(line).toMatchObject({
    err: { type: "TypeError", message: "refused: too late", token: "[secret]", code: "E" },
  });
  expect(String((line["err"] as { stack: string }).stack)).toContain("logger.test.ts");
  expect(error.token).toBe("a");
});

test("tells of an outage in a line with its causes and no stack, and of a bug below one where it is", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
  const outage = new Outage("bindings", {
    operator: "it is away",
    cause: new Error("no\n answer", { cause: refused }),
  });
  const told = logged((logger) => logger.warn({ err: outage }, "waiting"));
  expect(told["err"]).toEqual({
    type: "Outage",
    message: "it is away: no answer: connect ECONNREFUSED 127.0.0.1:1",
  });
  lines.length = 0;
  const bug = new Outage("ingress", { cause: new TypeError("it is not a function") });
  const line = logged((logger) => logger.warn({ err: bug }, "waiting"));
  expect(line["err"]).toMatchObject({ stack: expect.stringMatching(/caused by: TypeError: .*\n.*logger\.test\.ts/) });
});

test("a line for people says the reason of an outage beside what it led to", () => {
  const written: string[] = [];
  const stdout = jest.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const logger = createLogger({ LOG_LEVEL: "info", LOG_FORMAT: "text" });
  logger.warn({ err: new Outage("Redis", { cause: new Error("gone") }), task: "sweep" }, "task failed");
  stdout.mockRestore();
  expect(written).toEqual([
    expect.stringMatching(/ warn {2}postern: task failed: Redis is out of reach: gone task=sweep\n$/),
  ]);
});
