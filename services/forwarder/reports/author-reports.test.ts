import { afterAll, expect, test } from "@jest/globals";
import { silentLogger } from "../../../test/support/database.ts";
import { newId } from "../../platform/ids.ts";
import { createLimits } from "../../platform/security/rate-limits.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import { createMetrics } from "../../platform/telemetry/metrics.ts";
import { forwardDelivery } from "../test/delivery.ts";
import { AuthorReports } from "./author-reports.ts";

const limits = createLimits(undefined, silentLogger);
afterAll(() => limits.close());

const reports = new AuthorReports({
  serviceName: "postern",
  serviceDomain: "postern.example",
  limits,
  secrets: new Secrets("a secret key of the tests"),
  metrics: createMetrics(),
});
const authentication = {
  authorDomain: "sender.example",
  policy: "",
  isDkimAligned: false,
  isSpfAligned: true,
  spf: "pass",
  arc: "none",
};
const failure = { status: "5.1.1", diagnostic: "550 5.1.1 no", isAnswerable: true, original: undefined };

test("of however many failures, an author is told of 20 a day, however the address is written; others are told of theirs", async () => {
  const draft = (envelopeSender: string) => reports.draft(forwardDelivery({ envelopeSender, authentication }), failure);
  const drafts: unknown[] = [];
  for (let count = 0; count < 30; count++)
    drafts.push(await draft(count % 2 === 0 ? "author@sender.example" : "Author@Sender.example"));
  expect(drafts.filter((each) => each !== undefined)).toHaveLength(20);
  expect(await draft("another@sender.example")).toBeDefined();
});

test.each([
  ["binding", "bindingId", 50],
  ["account", "ownerId", 200],
] as const)("of the failures of one %s so many authors are told a day, and no more", async (_, key, most) => {
  const id = newId();
  const drafts: unknown[] = [];
  for (let count = 0; count < most + 10; count++)
    drafts.push(
      await reports.draft(
        forwardDelivery({ [key]: id, envelopeSender: `author${count}@${key}.sender.example`, authentication }),
        failure,
      ),
    );
  expect(drafts.filter((each) => each !== undefined)).toHaveLength(most);
});
