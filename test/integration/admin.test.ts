import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { allTopics } from "../../proto/topics.ts";
import { newId } from "../../services/platform/ids.ts";
import { asSuperuser } from "../support/peers/database.ts";
import { ownTopics, testKafka } from "../support/peers/kafka.ts";
import { type Operator, operator } from "./support/operator.ts";

let own: Operator;
beforeAll(async () => {
  own = await operator();
});
afterAll(() => own.dispose());

test.each([
  "",
  "help",
  "account",
  "account add",
  "account add a b",
  "account list all",
  "account add a --shout",
  "dns --json=yes",
  "dkim rotate --lead soon",
  "dead resend",
  "dead resend no-id",
  `dead resend --all ${newId()}`,
  "delivery retry",
  "delivery retry no-id",
  "delivery retry --all --destination a.example",
  "domain check",
  "destination pause",
  "destination pause not/a/domain",
  "destination pause .",
])('"%s" is answered with the usage and 64', async (words) => {
  const { exitCode, answer, complaint } = await own.admin(words);
  expect(exitCode).toBe(64);
  expect(answer).toBe("");
  // Where the command is known, how to use it alone: the rest would hide what is wrong.
  const isKnown = !["", "help", "account"].includes(words);
  expect(complaint.includes("Usage: npm run admin -- COMMAND")).toBe(!isKnown);
  expect(complaint.includes("npm run admin -- account add jane@example.org")).toBe(!isKnown);
  expect(complaint).toMatch(isKnown ? /^.+\n\nUsage: npm run admin -- \w.*\n {4}.+\n$/ : /Examples:/);
});

test("accounts are added, listed, disabled and enabled", async () => {
  const jane = await own.json("account add Jane@Example.org --password hers");
  expect(jane).toMatchObject({ username: "Jane@Example.org", isOperatorMade: true, isUsernameVerified: true });
  expect(jane).not.toHaveProperty("password");
  const generated = await own.json("account add bob");
  expect(generated.password).toMatch(/^[\w-]{20}$/);
  const { answer } = await own.admin("account add carol");
  expect(answer).toMatch(/^Made the account carol \(.*\)\.\nIts password, shown this once: [\w-]{20}\n$/);

  expect((await own.json("account disable JANE@example.org")).isDisabled).toBe(true);
  const listed = await own.json("account list");
  expect(
    listed.map((account: { username: string; isDisabled: boolean }) => [account.username, account.isDisabled]),
  ).toEqual([
    ["Jane@Example.org", true],
    ["bob", false],
    ["carol", false],
  ]);
  expect((await own.admin("account list")).answer).toMatch(/Jane@Example\.org +disabled +made by an operator/);
  expect((await own.json("account enable jane@example.org")).isDisabled).toBe(false);
  expect((await own.admin("account enable nobody")).complaint).toBe("There is no such account.\n");
});

test("what cannot be done is said on standard error, with 1", async () => {
  await own.admin("account add taken");
  expect(await own.admin("account add TAKEN")).toEqual({
    exitCode: 1,
    answer: "",
    complaint: "There is an account of this name already.\n",
  });
  expect(await own.admin("account disable nobody")).toEqual({
    exitCode: 1,
    answer: "",
    complaint: "There is no such account.\n",
  });
});

test("dead events are listed over all services, and asked for again", async () => {
  expect((await own.admin("dead list")).answer).toBe("No event is dead.\n");
  const [first, second] = [newId(), newId()];
  for (const [schema, id] of [
    ["bindings", first],
    ["webhook", second],
  ]) {
    await asSuperuser(
      own.databaseUrl,
      `insert into ${schema}.dead_event (id, consumer_group, topic, event_id, key, payload, headers, occurred_at, error)
       values ($1, 'a group', 'mail.stored', $1, 'a key', 'some bytes', '{}', now(), E'Error: it does not parse\\n    at somewhere')`,
      [id],
    );
  }
  expect(await own.json("dead list")).toMatchObject([
    { service: "bindings", id: first, topic: "mail.stored", resendAskedAt: null },
    { service: "webhook", id: second },
  ]);
  expect((await own.admin("dead list")).answer).toMatch(/bindings +mail\.stored .* Error: it does not parse\n/);

  expect(await own.json(`dead resend ${second}`)).toEqual({ asked: [second], missing: [] });
  expect((await own.json("dead list"))[1].resendAskedAt).not.toBeNull();
  const missing = newId();
  expect(await own.admin(`dead resend ${missing}`)).toMatchObject({
    exitCode: 1,
    answer: `Asked for 0 again.\nThere is no dead event ${missing}.\n`,
  });
  expect(await own.json("dead resend --all")).toEqual({ asked: [first, second], missing: [] });
});

test("the DNS records are those of the service's domain", async () => {
  const dkim = (selector: string, key: string, size: number) => ({
    name: expect.stringMatching(new RegExp(`^${selector}\\d{8}(-2)?\\._domainkey\\.proxy\\.example$`)),
    type: "TXT",
    value: expect.stringMatching(new RegExp(`^v=DKIM1; k=${key}; p=[\\w+/=]{${size}}$`)),
  });
  expect(await own.json("dns")).toEqual([
    { name: "proxy.example", type: "MX", value: "10 proxy.example." },
    { name: "proxy.example", type: "TXT", value: "v=spf1 mx -all" },
    dkim("r", "rsa", 392),
    dkim("e", "ed25519", 44),
    { name: "_dmarc.proxy.example", type: "TXT", value: "v=DMARC1; p=quarantine; rua=mailto:postmaster@proxy.example" },
    { name: "_mta-sts.proxy.example", type: "TXT", value: expect.stringMatching(/^v=STSv1; id=\w{32}$/) },
    { name: "_smtp._tls.proxy.example", type: "TXT", value: "v=TLSRPTv1; rua=mailto:postmaster@proxy.example" },
  ]);
  const { selectors } = await own.json("dkim rotate --lead 1");
  expect(selectors).toHaveLength(2);
  const { answer } = await own.admin("dns", {
    MAIL_HOSTS: "mx1.proxy.example,mx2.proxy.example",
    SPF_SENDERS: "include:r.example",
  });
  expect(answer).toMatch(/"v=spf1 mx include:r\.example -all"/);
  expect(answer).toContain("mode: enforce\nmx: mx1.proxy.example\nmx: mx2.proxy.example\n");
  for (const line of answer.split("\n")) expect(line).not.toMatch(/"[^"]{256}/);
  expect(answer.match(/_domainkey/g)).toHaveLength(4);
  for (const selector of selectors) expect(answer).toContain(`${selector}._domainkey.proxy.example.`);
});

test("doctor finds a sound installation sound", async () => {
  const { exitCode, answer } = await own.admin("doctor");
  expect(answer).not.toContain("BAD");
  expect(answer).toMatch(/good +database of auth +up to date, as \w+_auth, which may use no other schema\n/);
  expect(exitCode).toBe(0);
});

test("doctor names each fault, and the exit code says that there is one", async () => {
  const nowhere = await own.admin("doctor", { REDIS_URL: "redis://127.0.0.1:1", KAFKA_BROKERS: "127.0.0.1:1" });
  expect(nowhere.exitCode).toBe(1);
  expect(nowhere.answer).toMatch(/BAD +bus .*ECONNREFUSED/);
  expect(nowhere.answer).toMatch(/BAD +counters .*ECONNREFUSED/);
  expect(nowhere.answer).toMatch(/good +database of auth/);

  const gone = await own.admin("doctor", { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
  expect(gone).toMatchObject({
    exitCode: 1,
    answer: expect.stringMatching(/BAD +database server +the one of DATABASE_URL/),
  });

  await asSuperuser(own.databaseUrl, "grant usage on schema bindings to public");
  expect((await own.admin("doctor")).answer).toMatch(
    /BAD +database of auth +the role \w+_auth may also use bindings\n/,
  );

  const faulty = await own.admin("doctor", { HTTP_PORT: "many", QUOTA_BINDINGS: "-1" });
  expect(faulty.exitCode).toBe(1);
  expect(faulty.answer.match(/^BAD +configuration +(HTTP_PORT|QUOTA_BINDINGS)/gm)).toHaveLength(2);
});

test("a configuration that cannot be read stops every other command with 78", async () => {
  const { exitCode, complaint } = await own.admin("account list", { BEARER_LIFETIME_H: "long" });
  expect(exitCode).toBe(78);
  expect(complaint).toContain("BEARER_LIFETIME_H");
});

test("a database that is out of reach is an outage, with 69", async () => {
  expect(await own.admin("account list", { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" })).toMatchObject({
    exitCode: 69,
    answer: "",
  });
});

test("migrate brings every schema up to date, and a second time finds nothing to do", async () => {
  const first = await own.json("migrate");
  expect(first.map(({ service }: { service: string }) => service)).toEqual([
    "auth",
    "bindings",
    "ingress",
    "mailbox",
    "forwarder",
    "webhook",
  ]);
  expect(await own.json("migrate")).toEqual(first);
  expect((await own.admin("migrate")).answer).toMatch(/^auth +up to date +\d+ migrations, the last applied 2/);
});

test("topics are made where they are not, as the variables say; without Kafka there is nothing to make", async () => {
  expect((await own.admin("topics")).answer).toBe("The embedded bus needs no topics.\n");
  const kafka = ownTopics(await testKafka());
  const { answer } = await own.admin("topics", kafka);
  expect(answer).toContain(`${kafka["KAFKA_TOPIC_PREFIX"]}mail.accepted`);
  expect(answer.match(/made: 3 partitions, 1 replicas, kept 168 h/g)).toHaveLength(allTopics.length);
  expect((await own.admin("topics", kafka)).answer).not.toContain("made: ");
  const { exitCode, complaint } = await own.admin("topics", { KAFKA_BROKERS: "127.0.0.1:1" });
  expect(exitCode).toBe(69);
  expect(complaint).toContain("Kafka");
}, 600_000);

test("a round trip says what it needs", async () => {
  expect((await own.admin("round-trip")).complaint).toContain("takes --api=http://HOST:PORT and --smtp=HOST:PORT");
  const away = "round-trip --api=http://127.0.0.1:1 --smtp=127.0.0.1:1";
  expect((await own.admin(away)).complaint).toContain("needs BOOTSTRAP_USER and BOOTSTRAP_PASSWORD");
  const account = { BOOTSTRAP_USER: "jane", BOOTSTRAP_PASSWORD: "hers" };
  expect(await own.admin(away, account)).toMatchObject({
    exitCode: 1,
    complaint: expect.stringMatching(/^POST \/auth: /),
  });
});
