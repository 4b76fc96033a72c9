import { expect, test } from "@jest/globals";
import { silentLogger } from "../../../test/support/peers/database.ts";
import type { bindingsContract } from "../../bindings/contract.ts";
import { parseFields } from "../../message/header/fields.ts";
import { SealedMessageIds } from "../../message/header/sealed-message-id.ts";
import { Outage } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import { createLimits } from "../../platform/security/rate-limits.ts";
import { Secrets } from "../../platform/security/secrets.ts";
import type { MessageAuthentication } from "../authentication/message-authenticator.ts";
import type { SmtpRefusal } from "../smtp/refusals.ts";
import { AnswerPolicy } from "./answer-policy.ts";

const secrets = new Secrets("a secret key of the tests");
const messageIds = new SealedMessageIds(secrets);
const token = "abcdefghijklmnopqrstuvwxyz";
const reverse = `re+${token}@own.example`;
const contactId = newId();
const dayMs = 86_400_000;

const admission = {
  outcome: "admitted" as const,
  bindingId: newId(),
  ownerId: newId(),
  proxyAddress: "shop@own.example",
  displayName: "",
  isBrowsable: false,
  sendsEncrypted: false,
  realAddresses: [],
  named: [],
  recipient: { contactId: newId(), address: "ann@shop.example", reverseAddress: "" },
};

/** A policy whose bindings admit every answer that is proved, while there is room. */
async function policyOf({ wasTaken = false } = {}) {
  const requests: Parameters<Client<typeof bindingsContract>["admitAnswer"]>[0][] = [];
  const bindings = { hasRoom: true, isAnswerLost: false };
  const policy = new AnswerPolicy({
    messageIds,
    wasTaken: async () => wasTaken,
    limits: await createLimits(undefined, silentLogger),
    bindings: {
      admitAnswer: async (request) => {
        requests.push(request);
        if (bindings.isAnswerLost) throw new Outage("bindings");
        if (!request.isProved) return { outcome: "refused", reason: "unproved" };
        return bindings.hasRoom ? admission : { outcome: "refused", reason: "over-limit" };
      },
    },
  });
  /** What becomes of an answer that the owner's domain has signed: the reason of its refusal, or its hop count. */
  const outcomeOf = async (lines: readonly string[], reverseAddress = reverse) => {
    const header = ["From: Olive <olive@home.example>", "Message-ID: <1@home.example>", ...lines];
    const hasDate = lines.some((line) => line.startsWith("Date:"));
    const fields = parseFields(Buffer.from([...header, ...(hasDate ? [] : [dated(0)]), ""].join("\r\n")));
    const signature = { domain: "home.example", result: "pass", isBodyLimited: false, isTimeValid: true };
    const signatures = [{ ...signature, signedNames: fields.map(({ name }) => name) }];
    const authentication = { signatures, spf: undefined } as unknown as MessageAuthentication;
    const answer = { fields, authentication, bodyHash: "", reverseAddress, contactId };
    return policy.admit(answer).then(
      ({ hopCount }) => hopCount,
      (refusal: SmtpRefusal) => refusal.reason,
    );
  };
  return { requests, bindings, outcomeOf };
}

/** What bindings is asked about an answer. */
async function asked(lines: readonly string[], reverseAddress?: string) {
  const { requests, outcomeOf } = await policyOf();
  await outcomeOf(lines, reverseAddress);
  return requests[0];
}

function dated(days: number): string {
  return `Date: ${new Date(Date.now() + days * dayMs).toUTCString()}`;
}

test.each([
  ["in the letters that it was named with", `re+${token}@own.example`, `re+${token}@own.example`],
  ["in other letters", `RE+${token.toUpperCase()}@Own.Example`, `re+${token}@own.example`],
  ["among others, with a comment", `x@y.example, (a) "B" <re+${token}@own.example>`, `re+${token}@own.example`],
  ["in a group", `Friends: re+${token}@own.example;`, `re+${token}@own.example`],
  ["in U-labels", `re+${token}@bücher.example`, `re+${token}@xn--bcher-kva.example`],
  ["in A-labels", `re+${token}@xn--bcher-kva.example`, `re+${token}@bücher.example`],
])("a signature proves an answer that names its reverse address %s", async (_name, to, reverseAddress) => {
  expect(await asked([`To: ${to}`], reverseAddress)).toMatchObject({ isProved: true });
});

test("without the reverse address in To or Cc it may be a replay: the signature alone proves nothing", async () => {
  expect(await asked([`To: re+${"b".repeat(26)}@own.example`])).toMatchObject({ isProved: false });
  expect(await asked([])).toMatchObject({ isProved: false, addressed: [] });
  expect(await asked([`Cc: re+${token}@own.example`])).toMatchObject({ isProved: true });
});

test.each([
  [-5.01, "answerTooOld"],
  [-4.99, 1],
  [0.99, 1],
  [1.01, "answerTooOld"],
])("a Date %p days from now", async (days, outcome) => {
  const { outcomeOf } = await policyOf();
  expect(await outcomeOf([`To: ${reverse}`, dated(days)])).toBe(outcome);
});

const sealed = (hopCount: number) => messageIds.seal("olive", "<0@home.example>", { hopCount, domain: "own.example" });
const answerAfter = (hopCount: number, ...lines: string[]) => [
  `To: ${reverse}`,
  `References: <a@b.example> ${sealed(hopCount)}`,
  ...lines,
];

test("answers are counted by whichever field names those before them", async () => {
  const { outcomeOf } = await policyOf();
  expect(await outcomeOf([`To: ${reverse}`, `In-Reply-To: ${sealed(1)}`])).toBe(2);
  expect(await outcomeOf(answerAfter(4))).toBe(5);
});

test("what machines answer back and forth ends after five, at their pace or where they say that they are machines", async () => {
  const { outcomeOf } = await policyOf();
  expect(await outcomeOf(answerAfter(5, "Auto-Submitted: auto-replied"))).toBe("answerLoop");
  expect([await outcomeOf(answerAfter(2, dated(-1))), await outcomeOf(answerAfter(4, dated(-2)))]).toEqual([3, 5]);
  expect(await outcomeOf(answerAfter(5))).toBe("answerLoop");
});

test("an answer that was taken before is taken again, whatever its pace", async () => {
  const { outcomeOf } = await policyOf({ wasTaken: true });
  for (let time = 0; time < 4; time += 1) expect(await outcomeOf(answerAfter(5))).toBe(6);
});

test("an answer that was admitted and then not stored counts once, however often its server tries; one that was refused did not count", async () => {
  const { requests, bindings, outcomeOf } = await policyOf();
  const [answer, other] = [answerAfter(5, dated(-1)), answerAfter(5, dated(-2))];
  bindings.hasRoom = false;
  for (let time = 0; time < 2; time += 1) expect(await outcomeOf(answer)).toBe("tooManyAnswers");
  bindings.hasRoom = true;
  for (let time = 0; time < 3; time += 1) expect(await outcomeOf(answer)).toBe(6);
  expect(requests.map(({ isRepeated }) => isRepeated)).toEqual([false, false, false, true, true]);
  expect(await outcomeOf(other)).toBe(6);
  expect(requests.at(-1)).toMatchObject({ isRepeated: false });
  expect(await outcomeOf(answerAfter(5, dated(-3)))).toBe("answerLoop");
});

test("bindings is told that an answer is the same again where what it answered was lost, so that it counts the answer once", async () => {
  const { requests, bindings, outcomeOf } = await policyOf();
  const answer = answerAfter(0, dated(-1));
  bindings.isAnswerLost = true;
  for (let time = 0; time < 2; time += 1) await outcomeOf(answer);
  bindings.isAnswerLost = false;
  expect(await outcomeOf(answer)).toBe(1);
  expect(await outcomeOf(answerAfter(0, dated(-2)))).toBe(1);
  const [first, second, third, other] = requests.map(({ digest }) => digest);
  expect([second, third]).toEqual([first, first]);
  expect(first).toMatch(/./);
  expect(other).not.toBe(first);
});

test("what people write to each other goes on, however long the thread is", async () => {
  for (const hopCount of [5, 6, 60, 254, 255]) {
    const { outcomeOf } = await policyOf();
    expect(await outcomeOf(answerAfter(hopCount))).toBe(Math.min(255, hopCount + 1));
  }
});
