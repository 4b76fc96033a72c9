import { afterEach, expect, jest, test } from "@jest/globals";
import { createLogger } from "../../services/platform/telemetry/logger.ts";
import { createGraphServer } from "./server.ts";

afterEach(() => void jest.restoreAllMocks());

test("nobody is told that it runs", () => {
  const repeated = jest.spyOn(globalThis, "setInterval");
  createGraphServer({
    source: () => ({ process: async () => ({}) }),
    onKnown: () => undefined,
    bounds: { depth: 1, cost: 1, aliases: 1 },
    hasIntrospection: false,
    logger: createLogger({ LOG_LEVEL: "silent", LOG_FORMAT: "json" }),
  });
  // The library's reports are sent by a timer that begins with it.
  expect(repeated).not.toHaveBeenCalled();
});
