import { STATUS_CODES } from "node:http";
import type { authContract } from "../../auth/contract.ts";
import type { bindingsContract } from "../../bindings/contract.ts";
import { Refusal } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { Settings } from "../../platform/runtime/settings.ts";
import type { Limit, Limits } from "../../platform/security/rate-limits.ts";
import { AttemptStart } from "../calls/attempt-start.ts";
import type { BodyPieces } from "../calls/call.ts";
import { requestHeaders, type Send } from "../calls/request.ts";
import { AttemptFailure } from "../egress/failure.ts";
import { type BodyIdentity, shortCallbackBody } from "./body.ts";

interface TestCallDependencies {
  rpc: { auth: Client<typeof authContract>; bindings: Client<typeof bindingsContract> };
  limits: Limits;
  send: Send;
  settings: Settings;
}

/** How a test call ended; without a status no answer came. */
interface TestCallResult {
  url: string;
  isSuccess: boolean;
  status: number | null;
  durationMs: number;
  failure: string | null;
}

const perMinute = 20;

/** Lets an owner see what a callback looks like and what its target answers, without waiting for mail. */
export class TestCalls {
  readonly #dependencies: TestCallDependencies;
  readonly #limit: Limit;

  constructor(dependencies: TestCallDependencies) {
    this.#dependencies = dependencies;
    this.#limit = dependencies.limits.limit({ name: "callback-test", points: perMinute, windowS: 60 });
  }

  /**
   * Calls a binding's callback URL once, with an email made up for it.
   * @throws Refusal NotFound; Conflict when the binding has no callback URL; RateLimited.
   */
  async run(ownerId: string, bindingId: string): Promise<TestCallResult> {
    const { rpc } = this.#dependencies;
    const { callbackUrl: url, proxyAddress } = await rpc.bindings.get({ ownerId, id: bindingId });
    if (url === "") throw new Refusal("Conflict", { public: "This proxy binding has no callback URL." });
    const { payload, ...head } = this.#content(proxyAddress);
    return this.call(ownerId, url, (emailId, identity) => shortCallbackBody(emailId, head, payload, identity));
  }

  /**
   * Calls a URL of an owner's once, signed as callbacks are.
   * @param bodyOf is given the webhook's id
   * @throws Refusal RateLimited
   */
  async call(
    ownerId: string,
    url: string,
    bodyOf: (id: string, identity: BodyIdentity) => BodyPieces,
  ): Promise<TestCallResult> {
    const { rpc } = this.#dependencies;
    const { isAllowed, retryAfterS } = await this.#limit.consume(ownerId);
    if (!isAllowed) throw new Refusal("RateLimited", { public: "That were many tests within a minute.", retryAfterS });
    const [identity] = await rpc.auth.webhookIdentities({ accountIds: [ownerId] });
    if (!identity) throw new Refusal("NotFound", { public: "There is no such account." });
    const id = newId();
    return this.#send(url, id, bodyOf(id, identity), identity.secrets);
  }

  async #send(url: string, id: string, body: BodyPieces, secrets: readonly string[]): Promise<TestCallResult> {
    const start = new AttemptStart();
    const headers = requestHeaders(id, start.at, body, secrets);
    try {
      const { status } = await this.#dependencies.send(url, headers, body);
      const isSuccess = status >= 200 && status < 300;
      const failure = isSuccess ? null : `The target answered ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
      return { url, isSuccess, status, durationMs: start.durationMs, failure };
    } catch (error) {
      if (!(error instanceof AttemptFailure)) throw error;
      return { url, isSuccess: false, status: null, durationMs: start.durationMs, failure: error.message };
    }
  }

  #content(proxyAddress: string) {
    const { SERVICE_DOMAIN, SERVICE_NAME } = this.#dependencies.settings;
    const sender = `test@${SERVICE_DOMAIN}`;
    const subject = "A test of your callback";
    const plain = `This is what ${SERVICE_NAME} sends to your callback URL when an email arrives. No email was received.`;
    const payload = {
      From: sender,
      To: proxyAddress,
      Subject: subject,
      from: sender,
      subject,
      sender,
      recipient: proxyAddress,
      "body-plain": plain,
      "body-html": `<p>${plain}</p>`,
      attachments: null,
    };
    const receivedAt = new Date().toISOString();
    return { payload, attachments: [], recipient: proxyAddress, receivedAt, isTruncated: false };
  }
}
