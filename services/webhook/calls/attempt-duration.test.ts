import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { newId } from "../../platform/ids.ts";
import { createLogger } from "../../platform/telemetry/logger.ts";
import type { CallbackResponse } from "../egress/post.ts";
import { attemptCall } from "./attempt.ts";
import type { Call } from "./call.ts";

const hourMs = 3_600_000;

beforeEach(() => {
  const others = ["nextTick", "performance", "queueMicrotask", "setImmediate", "setInterval", "setTimeout"] as const;
  jest.useFakeTimers({ doNotFake: [...others, "clearImmediate", "clearInterval", "clearTimeout", "hrtime"] });
});
afterEach(() => {
  jest.useRealTimers();
});

test("an attempt took as long as it took, whatever the clock was set to meanwhile", async () => {
  const call: Call = {
    id: newId(),
    ownerId: newId(),
    url: "https://hook.example/",
    receivedAt: new Date(),
    host: "hook.example",
    trace: {},
    attemptCount: 0,
    isOwnerDisabled: false,
  };
  const response: CallbackResponse = { status: 204, headers: {}, body: Buffer.alloc(0), retryAfter: undefined };
  const { attempt } = await attemptCall(
    call,
    { accountId: call.ownerId, username: "ann", secrets: ["c2VjcmV0"] },
    {
      workerId: newId(),
      scheduleS: [60],
      bodyOf: async () => ({ pieces: [Buffer.from("{}")], release: () => undefined }),
      send: async () => {
        jest.setSystemTime(Date.now() + hourMs);
        return response;
      },
      logger: createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" }),
    },
  );
  expect(attempt?.durationMs).toBeLessThan(hourMs);
});
