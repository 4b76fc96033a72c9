import type { z } from "zod";
import type { authContract } from "../../auth/contract.ts";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { MailWaiters } from "../../platform/concurrency/mail-waiters.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { type Loader, loaderOf } from "../../platform/graph/loader.ts";
import { pageSize } from "../../platform/graph/paging.ts";
import { defineSubgraph, type EntityResolvers, type Resolvers, type Subgraph } from "../../platform/graph/subgraph.ts";
import type { Client, Implementation } from "../../platform/rpc/contract.ts";
import type { Limit } from "../../platform/security/rate-limits.ts";
import { type AttachmentLinks, attachmentsOfMany } from "../browsing/attachments.ts";
import { notBrowsable } from "../browsing/browsable-bindings.ts";
import { ContentReader } from "../browsing/content-reader.ts";
import { findEmails, type OwnedEmail, type ReceivedEmailRow } from "../browsing/owned-emails.ts";
import { type PageRequest, pageLoader } from "../browsing/page-loader.ts";
import type { StoredContents } from "../browsing/stored-contents.ts";
import type { Attachment, mailboxContract, TimelineEntry } from "../contract.ts";
import { timelinesOf } from "../emails/timeline.ts";
import type { ContentLimits } from "../limits.ts";
import type { ContentRenderer } from "../payload/content-renderer.ts";
import { type ListLoaders, listLoaders, listResolvers } from "./list-resolvers.ts";
import { nextEmailMutation } from "./next-email-mutation.ts";
import { ruleResolvers } from "./rule-resolvers.ts";

interface Dependencies {
  db: Database;
  auth: Client<typeof authContract>;
  bindings: Client<typeof bindingsContract>;
  links: AttachmentLinks;
  procedures: Implementation<typeof mailboxContract>;
  publicUrl: string;
  mailWaiters: MailWaiters;
  contents: StoredContents;
  renderer: ContentRenderer;
  limits: ContentLimits;
  dryRuns: Limit;
}

interface Loaders extends ListLoaders {
  emails: Loader<ReceivedEmailRow>;
  /** What other services refer to: it may be gone since. */
  referred: Loader<OwnedEmail | null>;
  contents: ContentReader;
  attachments: Loader<z.input<typeof Attachment>[]>;
  timelines: Loader<z.input<typeof TimelineEntry>[]>;
  pages: ReturnType<typeof pageLoader>;
}

interface Reference {
  id: string;
}

const noSuchEmail = () => new Refusal("NotFound", { public: "There is no such email." });

/** mailbox's subgraph. */
export function mailboxSubgraph(dependencies: Dependencies): Subgraph {
  const { db, bindings, links } = dependencies;
  return defineSubgraph<Loaders>({
    sdl: new URL("./subgraph.graphql", import.meta.url),
    loaders: (request) => {
      const find = (ids: readonly string[]) => findEmails(db, bindings, request.ownerId, ids);
      const owned = loaderOf<OwnedEmail>(find, noSuchEmail);
      return {
        owned,
        emails: loaderOf<ReceivedEmailRow>(async (ids) => readable(ids, await owned.loadMany(ids)), noSuchEmail),
        referred: loaderOf<OwnedEmail | null>(find, () => null),
        ...listLoaders(db, request.ownerId),
        contents: new ContentReader(dependencies),
        attachments: loaderOf(
          (ids) => attachmentsOfMany(db, links, ids),
          () => [],
        ),
        timelines: loaderOf((ids) => timelinesOf(db, request.ownerId, ids), noSuchEmail),
        pages: pageLoader(db, bindings, () => request.ownerId),
      };
    },
    entities,
    deadEventsOf: { service: "mailbox", db },
    resolvers: resolvers(dependencies),
  });
}

/** Those that may be read; a refusal for each of the others. */
function readable(
  ids: readonly string[],
  found: readonly (OwnedEmail | Error)[],
): Map<string, ReceivedEmailRow | Error> {
  const emails = found.map((email) =>
    email instanceof Error ? email : email.isBrowsable ? email.row : notBrowsable(),
  );
  return new Map(ids.map((id, index) => [id, emails[index] ?? noSuchEmail()]));
}

const entities: EntityResolvers<Loaders> = {
  ProxyBinding: (reference: Reference) => reference,
  ReceivedEmail: async ({ id }: Reference, { loaders }) => (await loaders.referred.load(id))?.row ?? null,
  Account: (reference: Reference) => reference,
};

function resolvers(dependencies: Dependencies): Resolvers<Loaders> {
  const { procedures, publicUrl } = dependencies;
  const lists = listResolvers(dependencies);
  const rules = ruleResolvers(dependencies);
  return {
    ...lists,
    ...rules,
    Query: {
      ...lists.Query,
      ...rules.Query,
      receivedEmail: (_source: unknown, { id }: Reference, { loaders }) => loaders.emails.load(id),
    },
    Mutation: {
      ...lists.Mutation,
      ...rules.Mutation,
      nextEmail: nextEmailMutation(dependencies),
      deleteEmail: async (_source: unknown, { id }: Reference, { ownerId }) => {
        await procedures.remove({ ownerId, emailId: id });
        return { id };
      },
    },
    ProxyBinding: {
      ...lists.ProxyBinding,
      emails: async ({ id }: Reference, { first, after, search }: PageRequest, { loaders }) => {
        const options = { first: pageSize(first), after: after ?? undefined, search: search ?? undefined };
        const page = await loaders.pages.page({ bindingId: id, ...options });
        const pageInfo = { hasNextPage: page.nextCursor !== null, endCursor: page.nextCursor };
        return {
          nodes: page.emails,
          pageInfo,
          totalCount: () => loaders.pages.count({ bindingId: id, ...options }),
        };
      },
    },
    Account: {
      ...lists.Account,
      storage: ({ id }: Reference, _args: unknown, { ownerId }) =>
        id === ownerId ? procedures.storage({ ownerId }) : null,
    },
    ReceivedEmail: {
      ...lists.ReceivedEmail,
      binding: ({ bindingId }: ReceivedEmailRow) => ({ __typename: "ProxyBinding", id: bindingId }),
      recipient: ({ proxyAddress }: ReceivedEmailRow) => proxyAddress,
      envelopeRecipient: ({ direction, recipient }: ReceivedEmailRow) => (direction === "FORWARD" ? recipient : null),
      receivedAt: ({ receivedAt }: ReceivedEmailRow) => receivedAt.toISOString(),
      text: ({ id, subject }: ReceivedEmailRow, _args: unknown, { loaders }) =>
        subject === null ? null : loaders.contents.text(id),
      html: ({ id, subject }: ReceivedEmailRow, _args: unknown, { loaders }) =>
        subject === null ? null : loaders.contents.html(id),
      isHtml: ({ id, subject }: ReceivedEmailRow, _args: unknown, { loaders }) =>
        subject === null ? null : loaders.contents.isHtml(id),
      headers: ({ id, subject }: ReceivedEmailRow, _args: unknown, { loaders }) =>
        subject === null ? null : loaders.contents.headers(id),
      isTruncated: ({ id, subject }: ReceivedEmailRow, _args: unknown, { loaders }) =>
        subject !== null && loaders.contents.isTruncated(id),
      attachments: async ({ id, subject }: ReceivedEmailRow, _args: unknown, { loaders }) =>
        subject === null ? null : loaders.attachments.load(id),
      timeline: ({ id }: Reference, _args: unknown, { loaders }) => loaders.timelines.load(id),
      sourceUrl: ({ id }: Reference) => `${publicUrl}/received-emails/${id}/source`,
    },
  };
}
