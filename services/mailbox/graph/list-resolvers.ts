import type { bindingsContract } from "../../bindings/contract.ts";
import { codesIn } from "../../message/extraction/codes.ts";
import { linksIn } from "../../message/extraction/links.ts";
import type { Database } from "../../platform/db/types.ts";
import { dayMs } from "../../platform/durations.ts";
import { invalidField } from "../../platform/errors.ts";
import { checkIdCount } from "../../platform/graph/check-id-count.ts";
import { type Loader, loaderOf } from "../../platform/graph/loader.ts";
import { pageSize } from "../../platform/graph/paging.ts";
import type { Resolver } from "../../platform/graph/subgraph.ts";
import type { Client } from "../../platform/rpc/contract.ts";
import type { ContentReader } from "../browsing/content-reader.ts";
import { asOwnedEmails, type OwnedEmail, type ReceivedEmailRow } from "../browsing/owned-emails.ts";
import type { FailureReason } from "../emails/failure-reasons.ts";
import { type AdjacentEmails, adjacentEmails } from "../lists/adjacent-emails.ts";
import { listAccountEmails, type Undelivered } from "../lists/list-account-emails.ts";
import { markAllRead, markEmails } from "../lists/list-entries.ts";
import { type MailCounts, type MailDay, mailCounts, mailDays, noMail, wholeAccount } from "../lists/mail-counts.ts";

interface Dependencies {
  db: Database;
  bindings: Client<typeof bindingsContract>;
}

/** What batches the reads of one request. */
export interface ListLoaders {
  owned: Loader<OwnedEmail>;
  counts: Loader<MailCounts>;
  /** By binding; all that may be asked for. */
  days: Loader<MailDay[]>;
  adjacentEmails: Loader<AdjacentEmails>;
}

interface AllLoaders extends ListLoaders {
  emails: Loader<ReceivedEmailRow>;
  contents: ContentReader;
}

type FieldResolver = Resolver<AllLoaders>;

interface Reference {
  id: string;
}

interface EmailsArguments {
  first?: number | null;
  after?: string | null;
  search?: string | null;
  filter?: {
    bindingId?: string | null;
    isUnread?: boolean | null;
    isKept?: boolean | null;
    undelivered?: Undelivered[] | null;
    failureReasons?: Uppercase<FailureReason>[] | null;
    since?: string | null;
  } | null;
}

const maxDays = 90;

export function listLoaders(db: Database, ownerId: string): Omit<ListLoaders, "owned"> {
  return {
    counts: loaderOf<MailCounts>(
      (ids) => mailCounts(db, ownerId, ids),
      () => noMail,
    ),
    days: loaderOf<MailDay[]>(
      (ids) => mailDays(db, ownerId, ids, daysAgo(maxDays)),
      () => [],
    ),
    adjacentEmails: loaderOf<AdjacentEmails>(
      (ids) => adjacentEmails(db, ownerId, ids),
      () => ({ olderId: null, newerId: null }),
    ),
  };
}

/** Lists over all bindings, and what is counted. */
export function listResolvers(dependencies: Dependencies) {
  const { db } = dependencies;
  return {
    Query: {
      emails: (_source: unknown, asked: EmailsArguments, { ownerId }) => emailConnection(dependencies, ownerId, asked),
      email: async (_source: unknown, { id }: Reference, { loaders }) => (await loaders.owned.load(id)).row,
    },
    Mutation: {
      markEmails: async (
        _source: unknown,
        { ids, isUnread }: { ids: string[]; isUnread: boolean },
        { ownerId, loaders },
      ) => {
        await markEmails(db, ownerId, checkIdCount(ids, "ids"), isUnread);
        const found = await loaders.owned.loadMany([...new Set(ids)]);
        return { receivedEmails: found.flatMap((email) => (email instanceof Error ? [] : [email.row])) };
      },
      markAllRead: async (_source: unknown, { bindingId }: { bindingId?: string | null }, { ownerId }) => ({
        count: await markAllRead(db, ownerId, bindingId ?? undefined),
      }),
    },
    ReceivedEmail: emailFields,
    ProxyBinding: { mail: ({ id }: Reference) => ({ id }) },
    Account: {
      mail: ({ id }: Reference, _args: unknown, { ownerId }) => (id === ownerId ? { id: wholeAccount } : null),
    },
    MailCounts: {
      ...fromCounts("received"),
      ...fromCounts("failed"),
      ...fromCounts("unread"),
      lastMailAt: async ({ id }: Reference, _args: unknown, { loaders }) =>
        (await loaders.counts.load(id)).lastMailAt?.toISOString() ?? null,
      days: async ({ id }: Reference, { last }: { last: number }, { loaders }) => {
        if (last < 1 || last > maxDays) throw invalidField("last", `must be from 1 to ${maxDays}.`);
        const since = daysAgo(last);
        return (await loaders.days.load(id)).filter(({ day }) => day > since);
      },
    },
  } satisfies Record<string, Record<string, FieldResolver>>;
}

async function emailConnection({ db, bindings }: Dependencies, ownerId: string, asked: EmailsArguments) {
  const { first, after, search, filter } = asked;
  const { emails, nextCursor } = await listAccountEmails(db, {
    ownerId,
    first: pageSize(first),
    after: after ?? undefined,
    search: search ?? undefined,
    bindingId: filter?.bindingId ?? undefined,
    isUnread: filter?.isUnread ?? undefined,
    isKept: filter?.isKept ?? undefined,
    undelivered: filter?.undelivered ?? undefined,
    failureReasons: filter?.failureReasons?.map((reason) => reason.toLowerCase() as FailureReason),
    since: timeOf(filter?.since),
  });
  const found = await asOwnedEmails(bindings, ownerId, emails);
  // What a search finds in an email is its content.
  const shown = search ? found.filter(({ isBrowsable }) => isBrowsable) : found;
  return { nodes: shown.map(({ row }) => row), pageInfo: { hasNextPage: nextCursor !== null, endCursor: nextCursor } };
}

/** @throws Refusal ValidationFailed */
function timeOf(text: string | null | undefined): Date | undefined {
  if (text === null || text === undefined) return undefined;
  const time = new Date(text);
  if (time.getTime() >= 0) return time;
  throw invalidField("since", "is no moment in ISO 8601.");
}

/** Fields of lists; an email that came by another way than a list is looked up. */
const emailFields = {
  ...listed("fromName", ({ fromName }) => fromName || null),
  ...listed("fromAddress", ({ fromAddress }) => fromAddress || null),
  ...listed("preview", ({ preview }) => preview),
  ...listed("isUnread", ({ isUnread }) => isUnread),
  ...listed("isKept", ({ isKept }) => isKept),
  ...listed("outcomes", (row) => ({
    expected: row.expectedOutcomes,
    delivered: row.deliveredCount,
    failed: row.failedCount,
    retrying: row.retryingCount,
    held: row.heldCount,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    failureReasons: row.failureReasons.map((reason) => reason.toUpperCase()),
  })),
  codes: async ({ id, subject }: ReceivedEmailRow, _args: unknown, { loaders }) =>
    subject === null ? null : codesIn(`${subject}\n${(await loaders.contents.text(id)) ?? ""}`),
  links: async ({ id, subject }: ReceivedEmailRow, _args: unknown, { loaders }) => {
    if (subject === null) return null;
    const [text, html] = await Promise.all([loaders.contents.text(id), loaders.contents.html(id)]);
    return linksIn({ text: text ?? "", html: html ?? "" });
  },
  olderId: async ({ id }: Reference, _args: unknown, { loaders }) => (await loaders.adjacentEmails.load(id)).olderId,
  newerId: async ({ id }: Reference, _args: unknown, { loaders }) => (await loaders.adjacentEmails.load(id)).newerId,
} satisfies Record<string, FieldResolver>;

function listed<Name extends string>(name: Name, value: (row: ReceivedEmailRow) => unknown) {
  const resolver: FieldResolver = async (source: ReceivedEmailRow, _args: unknown, { loaders }) =>
    value("isUnread" in source ? source : await loaders.emails.load((source as Reference).id));
  return { [name]: resolver } as Record<Name, FieldResolver>;
}

function fromCounts<Name extends keyof MailCounts>(name: Name) {
  const resolver: FieldResolver = async ({ id }: Reference, _args: unknown, { loaders }) =>
    (await loaders.counts.load(id))[name];
  return { [name]: resolver } as Record<Name, FieldResolver>;
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
}
