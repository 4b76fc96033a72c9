import { globSync, readdirSync, readFileSync } from "node:fs";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "@jest/globals";
import { consumesTopic } from "../test/support/consumed-topics.ts";
import { allTopics, topics } from "./topics.ts";

const services = new URL("../services/", import.meta.url).pathname;

test("a message survives the wire, its time and its nested targets included", () => {
  const receivedAt = new Date("2025-03-01T12:00:00.123Z");
  const sent = create(topics.mailAccepted.schema, {
    emailId: "0195",
    receivedAt: timestampFromDate(receivedAt),
    targets: [{ addressId: "1", address: "jörg@example.net" }],
    sizeBytes: 4_000_000_000,
  });
  const read = fromBinary(topics.mailAccepted.schema, toBinary(topics.mailAccepted.schema, sent));
  expect(read).toEqual(sent);
  expect(read.receivedAt && timestampDate(read.receivedAt)).toEqual(receivedAt);
});

test("what a newer producer adds is kept when an older consumer passes the message on", () => {
  const unknownField = Uint8Array.of(0xca, 0x3e, 0x01, 0x41); // field 1001, length-delimited, "A"
  const read = fromBinary(topics.mailReleased.schema, unknownField);
  expect(toBinary(topics.mailReleased.schema, read)).toEqual(unknownField);
});

test("every topic has a name of its own and a key that its message fills", () => {
  expect(new Set(allTopics.map((topic) => topic.name)).size).toBe(allTopics.length);
  expect(topics.mailAccepted.key(create(topics.mailAccepted.schema, { emailId: "e", bindingId: "b" }))).toBe("e");
  expect(topics.noticeRequested.key(create(topics.noticeRequested.schema, { noticeId: "n" }))).toBe("n");
  expect(topics.accountClosed.key(create(topics.accountClosed.schema, { accountId: "a" }))).toBe("a");
  expect(topics.bindingRemoved.key(create(topics.bindingRemoved.schema, { bindingId: "b" }))).toBe("b");
});

test("each service that publishes has a package, and each package a topic", () => {
  const packages = readdirSync(new URL("./postern", import.meta.url));
  const published = new Set(allTopics.map((topic) => topic.schema.file.proto.package.split(".")[1]));
  expect([...published].sort()).toEqual(packages.sort());
});

test("each topic names the services that publish it", () => {
  const found = new Map(Object.keys(topics).map((name) => [name, new Set<string>()]));
  for (const file of globSync("*/**/*.ts", { cwd: services })) {
    if (/\.test\.ts$|\/test\//.test(file)) continue;
    const text = readFileSync(`${services}${file}`, "utf8");
    for (const [, name = ""] of text.matchAll(/\bevent\(\s*topics\.(\w+)/g))
      found.get(name)?.add(file.split("/")[0] ?? "");
  }
  const declared = Object.entries(topics).map(([name, { publishers }]) => [name, [...publishers].sort()]);
  expect([...found].map(([name, publishers]) => [name, [...publishers].sort()])).toEqual(declared);
});

test("each topic names the services that consume it, and ARCHITECTURE.md lists them", () => {
  const files = globSync("*/**/*.ts", { cwd: services, exclude: ["**/*.test.ts", "**/test/**"] }).map((file) => ({
    service: file.split("/")[0] ?? "",
    text: readFileSync(`${services}${file}`, "utf8"),
  }));
  const whereFound = (isFound: (code: string) => boolean) =>
    files.filter(({ service, text }) => service !== "platform" && isFound(text)).map(({ service }) => service);
  const consumersOf = (key: string) => {
    const isSwitch = key === "accountDisabled" || key === "accountEnabled";
    const found = whereFound((code) =>
      isSwitch ? code.includes("accountSwitchConsumers(") : consumesTopic(code, key),
    );
    return [...new Set(found)].sort();
  };
  const asBuilt = Object.entries(topics).map(([key, { name, publishers }]) => [
    name,
    [...publishers].sort(),
    consumersOf(key),
  ]);
  expect(
    allTopics.map(({ name, publishers, consumers }) => [name, [...publishers].sort(), [...consumers].sort()]),
  ).toEqual(asBuilt);
  const document = readFileSync(new URL("../ARCHITECTURE.md", import.meta.url), "utf8");
  const rows = [...document.matchAll(/^\| `([a-z.]+)` \| ([a-z, ]+) \| ([a-z, ]+) \| /gm)];
  const list = (text = "") => text.split(", ").sort();
  expect(rows.map(([, name, publishers, consumers]) => [name, list(publishers), list(consumers)])).toEqual(asBuilt);
});
