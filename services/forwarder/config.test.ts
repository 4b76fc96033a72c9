import { expect, test } from "@jest/globals";
import { loadConfig } from "../platform/config.ts";
import { dayS } from "../platform/durations.ts";
import { ConfigurationError } from "../platform/errors.ts";
import { scheduleLengthS } from "../platform/jobs/retry-schedule.ts";
import { defaultRetriesS, forwarderConfig } from "./config.ts";

test("mail is given up between four and five days (RFC 5321 section 4.5.4.1)", () => {
  const days = scheduleLengthS(defaultRetriesS) / dayS;
  expect(days).toBeGreaterThan(4);
  expect(days).toBeLessThanOrEqual(5);
});

test.each([
  "capture",
  "mx",
  "smtp://relay.example",
  "smtp://relay.example:25/",
  "smtps://user%40example.org:p%C3%A9%25@relay.example:465",
  "smtp://[2001:db8::1]:25",
])("OUTBOUND may be %s", (given) => {
  expect(loadConfig(forwarderConfig, { OUTBOUND: given }).OUTBOUND).toBe(given);
});

// What could not be used would fail each delivery, for days.
test.each([
  ...["", "/", ":0", ":99999", ":abc", "relay.example:25/path", "relay.example?tls=no", "relay.example#25"],
  ...["us er@relay.example", "user:%ZZ@relay.example", "user:%ff@relay.example"],
])("OUTBOUND may not be smtp://%s, and a password in it is not told", (given) => {
  const host = given.startsWith(":") ? `relay.example${given}` : given;
  const load = () => loadConfig(forwarderConfig, { OUTBOUND: `smtp://${host}` });
  expect(load).toThrow(ConfigurationError);
  expect(load).toThrow(
    "The configuration has a fault:\n  OUTBOUND: expected capture, mx, smtp://host:port or smtps://host:port",
  );
});
