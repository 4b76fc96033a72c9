import type { z } from "zod";
import type { bindingsContract } from "../../bindings/contract.ts";
import type { Waiters } from "../../platform/concurrency/waiters.ts";
import type { Database } from "../../platform/db/types.ts";
import { Refusal } from "../../platform/errors.ts";
import { type Loader, loaderOf } from "../../platform/graph/loader.ts";
import { pageSize } from "../../platform/graph/page-size.ts";
import { defineSubgraph, type EntityResolvers, type Resolvers, type Subgraph } from "../../platform/graph/subgraph.ts";
import type { Client, Implementation } from "../../platform/rpc/contract.ts";
import { type AttachmentLinks, attachmentsOfMany } from "../browsing/attachments.ts";
import { ContentReader } from "../browsing/content-reader.ts";
import { findEmails, type ReceivedEmailRow } from "../browsing/contents.ts";
import { type PageRequest, pageLoader } from "../browsing/page-loader.ts";
import type { StoredContents } from "../browsing/stored-contents.ts";
import type { Attachment, mailboxContract, TimelineEntry } from "../contract.ts";
import { timelinesOf } from "../emails/timeline.ts";
import type { ContentLimits } from "../limits.ts";
import type { ContentRenderer } from "../payload/content-renderer.ts";
import { nextEmailMutation } from "./next-email-mutation.ts";

interface Dependencies {
  db: Database;
  bindings: Client<typeof bindingsContract>;
  links: AttachmentLinks;
  procedures: Implementation<typeof mailboxContract>;
  publicUrl: string;
  waiters: Waiters;
  contents: StoredContents;
  renderer: ContentRenderer;
  limits: ContentLimits;
}

interface Loaders {
  emails: Loader<ReceivedEmailRow>;
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
    loaders: (request) => ({
      emails: loaderOf<ReceivedEmailRow>((ids) => findEmails(db, bindings, request.ownerId, ids), noSuchEmail),
      contents: new ContentReader(dependencies),
      attachments: loaderOf(
        (ids) => attachmentsOfMany(db, links, ids),
        () => [],
      ),
      timelines: loaderOf((ids) => timelinesOf(db, request.ownerId, ids), noSuchEmail),
      pages: pageLoader(db, bindings, () => request.ownerId),
    }),
    entities,
    resolvers: resolvers(dependencies),
  });
}

const entities: EntityResolvers<Loaders> = {
  ProxyBinding: (reference: Reference) => reference,
  ReceivedEmail: ({ id }: Reference, { loaders }) => loaders.emails.load(id),
  Account: (reference: Reference) => reference,
};

function resolvers(dependencies: Dependencies): Resolvers<Loaders> {
  const { procedures, publicUrl } = dependencies;
  return {
    Query: {
      receivedEmail: (_source: unknown, { id }: Reference, { loaders }) => loaders.emails.load(id),
    },
    Mutation: {
      nextEmail: nextEmailMutation(dependencies),
      deleteEmail: async (_source: unknown, { id }: Reference, { ownerId }) => {
        await procedures.remove({ ownerId, emailId: id });
        return { id };
      },
    },
    ProxyBinding: {
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
      storage: ({ id }: Reference, _args: unknown, { ownerId }) =>
        id === ownerId ? procedures.storage({ ownerId }) : null,
    },
    ReceivedEmail: {
      binding: ({ bindingId }: ReceivedEmailRow) => ({ __typename: "ProxyBinding", id: bindingId }),
      recipient: ({ proxyAddress }: ReceivedEmailRow) => proxyAddress,
      receivedAt: ({ receivedAt }: ReceivedEmailRow) => receivedAt.toISOString(),
      text: ({ id }: Reference, _args: unknown, { loaders }) => loaders.contents.text(id),
      html: ({ id }: Reference, _args: unknown, { loaders }) => loaders.contents.html(id),
      headers: ({ id }: Reference, _args: unknown, { loaders }) => loaders.contents.headers(id),
      isTruncated: ({ id }: Reference, _args: unknown, { loaders }) => loaders.contents.isTruncated(id),
      attachments: async ({ id, subject }: ReceivedEmailRow, _args: unknown, { loaders }) =>
        subject === null ? null : loaders.attachments.load(id),
      timeline: ({ id }: Reference, _args: unknown, { loaders }) => loaders.timelines.load(id),
      sourceUrl: ({ id }: Reference) => `${publicUrl}/received-emails/${id}/source`,
    },
  };
}
