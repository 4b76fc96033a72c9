import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import type { z } from "zod";
import type { authContract } from "../../services/auth/contract.ts";
import type { bindingsContract, ProxyBinding } from "../../services/bindings/contract.ts";
import type { forwarderContract } from "../../services/forwarder/contract.ts";
import { Refusal } from "../../services/platform/errors.ts";
import { credentialInForce, pagesWhileInForce, whileInForce } from "../../services/platform/http/while-in-force.ts";
import type { Client } from "../../services/platform/rpc/contract.ts";
import type { webhookContract } from "../../services/webhook/contract.ts";
import type { CallerAuthenticator } from "../graph/caller-authenticator.ts";
import { exportedEmail, type MailboxOfExport } from "./exported-email.ts";
import { arrayOf, type Pieces } from "./json-pieces.ts";

type Binding = z.output<typeof ProxyBinding>;

interface ExportServices extends MailboxOfExport {
  auth: Client<typeof authContract>;
  bindings: Client<typeof bindingsContract>;
  forwarder: Client<typeof forwarderContract>;
  webhook: Client<typeof webhookContract>;
}

/** Services, and the credential by which they are asked, looked up again before each page. */
interface PagedServices extends ExportServices {
  requireInForce(): Promise<void>;
  pages: ReturnType<typeof pagesWhileInForce>;
}

const pageSize = 100;
const eventsPerPage = 1_000;
const rowsPerPage = 1_000;

/**
 * Everything that is kept of the account that asks, as one JSON file, made while it is sent: it is never whole in memory, and breaks off once
 * what it was asked with is revoked. With `?mail=false`
 * without emails, events, recorded calls and former imports: what an import elsewhere reads.
 */
export function accountExport(authenticator: CallerAuthenticator, services: ExportServices) {
  return async (request: Request, response: Response): Promise<void> => {
    const caller = await authenticator.account(request.headers, "admin");
    const { accountId, key } = caller;
    const inForce = credentialInForce(caller, "admin", services.auth);
    const withMail = new URL(request.url, "http://localhost").searchParams.get("mail") !== "false";
    const [account] = await Promise.all([
      services.auth.account({ id: accountId }),
      askAll(accountId, services, withMail),
    ]);
    response.writeHead(200, {
      "content-type": "application/json; charset=utf-8",
      "content-disposition": `attachment; filename="${new Date().toISOString().slice(0, 10)}-account.json"`,
      "cache-control": "private, no-store",
    });
    const paged = { ...services, requireInForce: inForce, pages: pagesWhileInForce(inForce) };
    const document = documentOf(account, paged, { withCredentials: !key, withMail });
    await pipeline(Readable.from(whileInForce(document, inForce), { objectMode: false }), response);
  };
}

/**
 * Asks each service, before the answer begins, for what the release before may not have: one that has not, or is out of reach, is an error and
 * not half a file.
 */
async function askAll(ownerId: string, services: ExportServices, withMail: boolean): Promise<void> {
  const { auth, bindings, forwarder, mailbox, webhook } = services;
  await Promise.all([
    auth.settings({ accountId: ownerId }),
    bindings.websites({ ownerId }),
    webhook.accountWebhook({ ownerId }),
  ]);
  if (!withMail) return;
  const page = { ownerId, first: 1 };
  const noEmails = { ownerId, emailIds: [] };
  await Promise.all([
    mailbox.accountEmails(page),
    mailbox.events(page),
    webhook.eventCalls(page),
    forwarder.deliveries(noEmails),
    webhook.callbacks(noEmails),
    bindings.imports({ ownerId }),
  ]);
}

/**
 * @param withCredentials whether it tells of sessions, passkeys and API keys: no API key reads them
 * @param withMail whether it holds emails, events, recorded calls and former imports
 */
async function* documentOf(
  account: { id: string },
  services: PagedServices,
  { withCredentials, withMail }: { withCredentials: boolean; withMail: boolean },
): Pieces {
  const ownerId = account.id;
  const { bindings } = await services.bindings.list({ ownerId });
  yield `{"exportedAt": ${JSON.stringify(new Date())},\n"account": ${JSON.stringify(account)},\n`;
  if (withCredentials) {
    yield `"sessions": ${JSON.stringify(await services.auth.sessions({ accountId: ownerId }))},\n`;
    yield `"passkeys": ${JSON.stringify(await services.auth.passkeys({ accountId: ownerId }))},\n`;
    yield `"apiKeys": ${JSON.stringify(await services.auth.apiKeys({ accountId: ownerId }))},\n`;
  }
  yield `"settings": ${JSON.stringify(await services.auth.settings({ accountId: ownerId }))},\n`;
  const { webhook } = await services.webhook.accountWebhook({ ownerId });
  yield `"accountWebhook": ${JSON.stringify(webhook)},\n`;
  yield `"proxyBindings": ${JSON.stringify(bindings)},\n`;
  yield* arrayOf("domains", domainsOf(ownerId, services));
  yield ",\n";
  yield `"rules": ${JSON.stringify(await services.bindings.listRules({ ownerId }))},\n`;
  yield* arrayOf("contacts", contactsOf(ownerId, bindings, services));
  yield `,\n"websites": ${JSON.stringify(await services.bindings.websites({ ownerId }))}`;
  if (withMail) yield* mailOf(ownerId, services);
  yield "}\n";
}

async function* mailOf(ownerId: string, services: PagedServices): Pieces {
  yield ",\n";
  yield* arrayOf("emails", emailsOf(ownerId, services));
  yield ",\n";
  yield* arrayOf("events", eventsOf(ownerId, services));
  yield ",\n";
  yield* arrayOf("webhookCalls", webhookCallsOf(ownerId, services));
  yield ",\n";
  yield* arrayOf("recorders", recordersOf(ownerId, services));
  yield ",\n";
  yield* arrayOf("imports", importsOf(ownerId, services));
}

/** Each email of every binding with what is kept of its content, its timeline, and what became of its deliveries and its callback. */
async function* emailsOf(ownerId: string, services: PagedServices): AsyncGenerator<Pieces> {
  const pages = services.pages(
    (after?: string) => services.mailbox.accountEmails({ ownerId, first: pageSize, after }),
    ({ nextCursor }) => nextCursor ?? undefined,
  );
  for await (const { emails } of pages) {
    const emailIds = emails.map(({ id }) => id);
    const [deliveries, callbacks] = await Promise.all([
      services.forwarder.deliveries({ ownerId, emailIds }),
      services.webhook.callbacks({ ownerId, emailIds }),
    ]);
    for (const email of emails) {
      const outcomes = {
        deliveries: deliveries.filter((delivery) => delivery.emailId === email.id),
        callback: callbacks.find((callback) => callback.emailId === email.id) ?? null,
      };
      yield exportedEmail(ownerId, email, outcomes, services);
    }
  }
}

/** Oldest first. */
async function* eventsOf(ownerId: string, { mailbox, pages }: PagedServices): AsyncGenerator<string[]> {
  const all = pages(
    (after?: string) => nextEvents(ownerId, after, mailbox),
    (page) => (page.length < eventsPerPage ? undefined : page.at(-1)?.cursor),
  );
  for await (const page of all) yield* page.map(({ cursor: _, ...event }) => [JSON.stringify(event)]);
}

async function nextEvents(ownerId: string, after: string | undefined, { events }: ExportServices["mailbox"]) {
  try {
    return await events({ ownerId, first: eventsPerPage, after });
  } catch (error) {
    // Some of the next ones have come to the end of their time: the oldest that are left follow.
    if (after === undefined || !(error instanceof Refusal && error.kind === "Gone")) throw error;
    return events({ ownerId, first: eventsPerPage });
  }
}

/** What the account's webhook was told, newest first. */
async function* webhookCallsOf(ownerId: string, { webhook, pages }: PagedServices): AsyncGenerator<string[]> {
  const all = pages(
    (after?: string) => webhook.eventCalls({ ownerId, first: pageSize, after }),
    (page) => (page.length < pageSize ? undefined : page.at(-1)?.id),
  );
  for await (const page of all) yield* page.map((call) => [JSON.stringify(call)]);
}

async function* recordersOf(ownerId: string, { webhook, requireInForce }: PagedServices): AsyncGenerator<string[]> {
  for (const recorder of await webhook.recorders({ ownerId })) {
    await requireInForce();
    const calls = await webhook.recordedCalls({ ownerId, hash: recorder.hash }).catch(ifGone([]));
    yield [JSON.stringify({ ...recorder, calls })];
  }
}

async function* importsOf(ownerId: string, services: PagedServices): AsyncGenerator<Pieces> {
  for (const job of await services.bindings.imports({ ownerId })) yield exportedImport(ownerId, job, services);
}

async function* exportedImport(ownerId: string, job: { id: string }, services: PagedServices): Pieces {
  yield `${JSON.stringify(job).slice(0, -1)},`;
  yield* arrayOf("rows", importRowsOf({ ownerId, id: job.id }, services));
  yield "}";
}

/** None further of one that is removed meanwhile. */
async function* importRowsOf(
  job: { ownerId: string; id: string },
  { bindings, pages }: PagedServices,
): AsyncGenerator<string[]> {
  const all = pages(
    (after?: number) => bindings.importRows({ ...job, first: rowsPerPage, after }).catch(ifGone([])),
    (page) => (page.length < rowsPerPage ? undefined : page.at(-1)?.position),
  );
  for await (const page of all) yield* page.map((row) => [JSON.stringify(row)]);
}

/** For what was removed since it was listed. */
function ifGone<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Refusal && error.kind === "NotFound") return instead;
    throw error;
  };
}

/** Of every binding, whether it answers or not. */
async function* contactsOf(
  ownerId: string,
  bindings: readonly Binding[],
  services: PagedServices,
): AsyncGenerator<string[]> {
  for (const { id: bindingId } of bindings) {
    const pages = services.pages(
      (after?: string) =>
        services.bindings
          .contacts({ ownerId, bindingId, first: pageSize, after })
          .catch(ifGone({ contacts: [], nextCursor: null })),
      ({ nextCursor }) => nextCursor ?? undefined,
    );
    for await (const { contacts } of pages) yield* contacts.map((contact) => [JSON.stringify(contact)]);
  }
}

async function* domainsOf(ownerId: string, { bindings }: ExportServices): AsyncGenerator<string[]> {
  for (const domain of await bindings.domains({ ownerId }))
    yield [
      JSON.stringify({
        ...domain,
        patterns: await bindings.domainPatterns({ ownerId, id: domain.id }).catch(ifGone([])),
      }),
    ];
}
