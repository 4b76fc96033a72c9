import { expect, test } from "@jest/globals";
import {
  boolean,
  cidrs,
  defineConfig,
  describeConfig,
  domain,
  durations,
  integer,
  loadConfig,
  oneOf,
  optionalSecret,
  optionalUrl,
  port,
  text,
} from "./config.ts";
import { ConfigurationError } from "./errors.ts";

const definition = defineConfig({
  PORT: port(8080).describe("Where it listens"),
  SCHEDULE_S: durations("5,300").describe("Seconds after each failure"),
  RANGES: cidrs("").describe("Ranges"),
  IS_OPEN: boolean(true).describe("Whether it is open"),
  MODE: oneOf(["a", "b"], "a").describe("How"),
  COUNT: integer(undefined, { min: 1, max: 9 }).describe("How many"),
  STORE_URL: optionalUrl(["postgres"]).describe("Where"),
  NAME: text("x").describe("Who"),
});

const forms = defineConfig({
  SITE_URL: optionalUrl(["http", "https"]).describe("Where"),
  DOMAIN: domain("postern.localhost").describe("Whose"),
  WAITS_S: durations("5").describe("How long"),
});

test("what is unset or empty takes its default", () => {
  expect(loadConfig(definition, { COUNT: "3", NAME: "", MODE: "b", SCHEDULE_S: "1, 2.5" })).toEqual({
    PORT: 8080,
    SCHEDULE_S: [1, 2.5],
    RANGES: [],
    IS_OPEN: true,
    MODE: "b",
    COUNT: 3,
    STORE_URL: undefined,
    NAME: "x",
  });
});

test("a secret that is too short is a fault, one that is unset is none", () => {
  const secret = defineConfig({ KEY: optionalSecret(32).describe("A key") });
  expect(() => loadConfig(secret, { KEY: "k".repeat(31) })).toThrow("KEY: expected at least 32 characters");
  expect(loadConfig(secret, { KEY: "k".repeat(32) })).toEqual({ KEY: "k".repeat(32) });
  expect(loadConfig(secret, {})).toEqual({ KEY: undefined });
});

test.each([
  ["SITE_URL", "mail.example.org"],
  ["SITE_URL", "https:mail.example.org"],
  ["SITE_URL", "https://"],
  ["SITE_URL", "ftp://mail.example.org"],
  ["DOMAIN", "mail_host.example"],
  ["DOMAIN", "mail.example.org:25"],
  ["DOMAIN", "localhost"],
  ["DOMAIN", "192.0.2.1"],
  ["WAITS_S", "5,,300"],
  ["WAITS_S", "5,300,"],
  ["WAITS_S", ","],
])("%s: %s is a fault", (name, value) => {
  expect(() => loadConfig(forms, { [name]: value })).toThrow(`${name}: expected `);
});

test("a URL ends in no slash, a domain is in A-labels and lower case", () => {
  const given = { SITE_URL: "HTTPS://mail.example.org/base/", DOMAIN: "Bücher.Example" };
  expect(loadConfig(forms, given)).toMatchObject({
    SITE_URL: "HTTPS://mail.example.org/base",
    DOMAIN: "xn--bcher-kva.example",
  });
});

test("all faults come at once, each with its name and what was expected", () => {
  const environment = {
    PORT: "80808",
    SCHEDULE_S: "5,soon",
    RANGES: "10.0.0.0",
    IS_OPEN: "perhaps",
    MODE: "c",
    STORE_URL: "mysql://x",
  };
  const load = () => loadConfig(definition, environment);
  expect(load).toThrow(ConfigurationError);
  expect(load).toThrow(
    [
      "The configuration has 7 faults:",
      "  PORT: expected a whole number from 0 to 65535",
      "  SCHEDULE_S: expected seconds, comma-separated",
      "  RANGES: expected address ranges such as 10.0.0.0/8, comma-separated",
      "  IS_OPEN: expected true or false",
      "  MODE: expected one of a, b",
      "  COUNT: is not set; expected a whole number from 1 to 9",
      "  STORE_URL: expected a URL beginning with postgres://",
    ].join("\n"),
  );
});

test("each variable describes itself for the table", () => {
  const described = describeConfig(definition);
  expect(described[0]).toEqual({
    name: "PORT",
    form: "a whole number from 0 to 65535",
    unset: "8080",
    sentence: "Where it listens",
  });
  expect(described.find(({ name }) => name === "COUNT")?.unset).toBe("required");
});
