import { createHash } from "node:crypto";
import type { z } from "zod";
import type { AnswerAdmission, bindingsContract } from "../../bindings/contract.ts";
import { comparableAddress } from "../../message/address/addr-spec.ts";
import type { HeaderField } from "../../message/header/fields.ts";
import type { SealedMessageIds } from "../../message/header/sealed-message-id.ts";
import { dayMs, dayS } from "../../platform/durations.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { Limit, Limits } from "../../platform/security/rate-limits.ts";
import { dkimProof, spfProof } from "../authentication/author-proof.ts";
import type { MessageAuthentication } from "../authentication/message-authenticator.ts";
import { authorOf } from "../receiving/author.ts";
import { SmtpRefusal } from "../smtp/refusals.ts";
import { type AnswerHeader, readAnswerHeader } from "./answer-header.ts";

interface AnswerPolicyOptions {
  bindings: Pick<Client<typeof bindingsContract>, "admitAnswer">;
  messageIds: SealedMessageIds;
  limits: Pick<Limits, "limit">;
  /** Whether an answer with this digest was taken before. */
  wasTaken(digest: Buffer): Promise<boolean>;
}

interface ReceivedAnswer {
  readonly fields: readonly HeaderField[];
  readonly authentication: MessageAuthentication;
  /** Relaxed, base64. */
  readonly bodyHash: string;
  /** As given at RCPT TO. */
  readonly reverseAddress: string;
  readonly contactId: string;
}

type Admission = z.output<typeof AnswerAdmission>;

/** An answer that is to leave. */
export interface AdmittedAnswer extends Extract<Admission, { outcome: "admitted" }> {
  readonly author: string;
  readonly hopCount: number;
  /** The same answer again has the same digest, however often it is replayed. */
  readonly digest: Buffer;
}

const [daysBefore, daysAfter] = [5, 1];
/** Two owners' responders that answer each other end here. */
const hopLimit = 5;
/** Answers to a contact within some minutes: people who write to each other for long have fewer. */
const machinePace = { name: "answer-pace", points: 2, windowS: 600 };
/** Which answers were counted, for as long as the longest limit on them. */
const countedAnswers = { name: "answer-counted", points: 1, windowS: dayS };
/** That a sealed identifier can hold. */
const maxCountedHops = 255;

const refusalOf = {
  unknown: "unknownRecipient",
  "not-owner": "answerNotOwners",
  unproved: "answerUnproved",
  "answers-off": "answersOff",
  blocked: "contactBlocked",
  stranger: "strangerAddressed",
  "sending-off": "sendingOff",
  "not-written": "contactNotWritten",
  "over-limit": "tooManyAnswers",
  paused: "sendingPaused",
} as const;

/** Decides about mail to a reverse address: whether it is an answer of the owner's, and may leave. */
export class AnswerPolicy {
  readonly #options: AnswerPolicyOptions;
  readonly #pace: Limit;
  readonly #counted: Limit;

  constructor(options: AnswerPolicyOptions) {
    this.#options = options;
    this.#pace = options.limits.limit(machinePace);
    this.#counted = options.limits.limit(countedAnswers);
  }

  /** @throws SmtpRefusal saying what is wrong; Outage while bindings cannot be asked */
  async admit(answer: ReceivedAnswer): Promise<AdmittedAnswer> {
    const { fields, authentication, reverseAddress, contactId } = answer;
    const author = authorOf(fields)?.address;
    if (author === undefined) throw new SmtpRefusal("answerAuthorUnclear");
    const header = readAnswerHeader(fields);
    if (!header) throw new SmtpRefusal("answerHeaderUnclear");
    refuseOldDates(header);
    const dkim = dkimProof(author, authentication.signatures, header.signedNames);
    const spf = spfProof(author, authentication.spf);
    // Else whoever has a signed message of the owner's could send it to any contact.
    const reverse = comparableAddress(reverseAddress);
    const isNamed = header.addressed.some((address) => comparableAddress(address) === reverse);
    const isProved = dkim === "proved" && (isNamed || spf === "proved");
    const digest = digestOf(answer, header);
    const isRepeated = (isProved || spf === "proved") && (await this.#isRepeated(digest));
    const hopCount = this.#nextHop(header);
    if (hopCount > hopLimit && !isRepeated) await this.#refuseMachines(contactId, header);
    const { addressed, isAutomatic } = header;
    const admission = await this.#options.bindings.admitAnswer({
      contactId,
      author,
      addressed: [...addressed],
      isProved,
      isSpfAligned: spf === "proved",
      isAutomatic,
      isRepeated,
      digest: keyOf(digest),
    });
    if (admission.outcome === "refused") {
      const isOpen = authentication.fault !== undefined || dkim === "unknown" || spf === "unknown";
      throw new SmtpRefusal(
        admission.reason === "unproved" && isOpen ? "senderUndecided" : refusalOf[admission.reason],
      );
    }
    if (!isRepeated) await Promise.all([this.#pace.consume(contactId), this.#counted.consume(keyOf(digest))]);
    return { ...admission, author, hopCount, digest };
  }

  /**
   * Sent again by a server that did not hear the 250, or that got none since the answer could not be stored once it was admitted: it is
   * sent once in all, so it counts once. Where what bindings answered was lost, bindings knows it again by its digest.
   */
  async #isRepeated(digest: Buffer): Promise<boolean> {
    return (await this.#options.wasTaken(digest)) || !(await this.#counted.check(keyOf(digest))).isAllowed;
  }

  #nextHop({ threadIds }: AnswerHeader): number {
    return Math.min(maxCountedHops, 1 + Math.max(0, ...threadIds.map((id) => this.#options.messageIds.hopCount(id))));
  }

  /** A thread of people goes on for as long as they like, and at their pace. */
  async #refuseMachines(contactId: string, { isAutomatic }: AnswerHeader): Promise<void> {
    if (isAutomatic || !(await this.#pace.check(contactId)).isAllowed) throw new SmtpRefusal("answerLoop");
  }
}

function refuseOldDates({ date }: AnswerHeader): void {
  const ageMs = Date.now() - date.getTime();
  if (ageMs > daysBefore * dayMs || ageMs < -daysAfter * dayMs) throw new SmtpRefusal("answerTooOld");
}

function digestOf({ contactId, bodyHash }: ReceivedAnswer, { canonical }: AnswerHeader): Buffer {
  return createHash("sha256").update(`${contactId}\n${bodyHash}\n`).update(canonical, "latin1").digest();
}

function keyOf(digest: Buffer): string {
  return digest.toString("base64url");
}
