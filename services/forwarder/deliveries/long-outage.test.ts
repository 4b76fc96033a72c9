import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Outcome } from "../../../proto/gen/postern/forwarder/v1/delivery_pb.js";
import { topics } from "../../../proto/topics.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { SinkRefusal, type SmtpSink } from "../../../test/support/mail/smtp-sink.ts";
import type { TestDatabase } from "../../../test/support/peers/database.ts";
import { hourS } from "../../platform/durations.ts";
import { defaultRetriesS } from "../config.ts";
import type { ForwarderUnderTest } from "../test-support/forwarder.ts";
import { startForwarder } from "../test-support/start-forwarder.ts";

let db: TestDatabase;
let sink: SmtpSink;
let forwarder: ForwarderUnderTest;
let stop: () => Promise<void>;
let isOut = true;

beforeAll(async () => {
  ({ db, sink, forwarder, stop } = await startForwarder({
    sinkOptions: {
      atRecipient: () => {
        if (isOut) throw new SinkRefusal(451, "4.3.2 out of order");
      },
    },
  }));
});
afterAll(() => stop());

interface Waiting {
  attemptCount: number;
  waitS: number;
}

/** Of the one delivery, after so many attempts. */
function afterAttempts(count: number): Promise<Waiting> {
  return eventually(async () => {
    const { rows } = await db.query<Waiting>(
      `select jsonb_array_length(attempts) as attempt_count, extract(epoch from due_at - now())::float8 as wait_s
         from delivery where state = 'waiting' and lease_until is null`,
    );
    const [row] = rows;
    if (row?.attemptCount !== count) throw new Error(`${row?.attemptCount} attempts, not ${count}`);
    return row;
  });
}

/** As if so much time had gone by. */
async function pass(seconds: number): Promise<void> {
  await db.query(
    "update delivery set due_at = due_at - $1 * interval '1 s', received_at = received_at - $1 * interval '1 s'",
    [seconds],
  );
  await forwarder.service.client.retryWaiting({ ids: null, domain: null });
}

test("a next hop that is out for 72 hours gets its mail once, by the schedule as it stands", async () => {
  await forwarder.accept("Subject: patience\r\n\r\nx\r\n", ["real@x.example"]);
  let passedS = 0;
  let attempts = 1;
  for (; passedS < 72 * hourS; attempts += 1) {
    const { waitS } = await afterAttempts(attempts);
    const plannedS = defaultRetriesS[attempts - 1] ?? 0;
    // 10 % either way.
    expect(waitS).toBeLessThanOrEqual(plannedS * 1.1);
    isOut = passedS + waitS < 72 * hourS;
    await pass(waitS);
    passedS += waitS;
  }
  await eventually(() => expect(sink.messages).toHaveLength(1));
  await eventually(async () =>
    expect(await forwarder.published(topics.deliverySettled)).toMatchObject([
      { outcome: Outcome.DELIVERED, attemptCount: attempts },
    ]),
  );
  expect(await forwarder.published(topics.deliveryDeferred)).toHaveLength(attempts - 1);
  // No more than the schedule says, and at least every nine hours.
  expect(attempts).toBeLessThan(20);
  expect(sink.messages).toHaveLength(1);
});
