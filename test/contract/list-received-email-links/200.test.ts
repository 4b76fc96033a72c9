import { beforeAll, expect, test } from "@jest/globals";
import { newAccount, type TestAccount } from "../support/accounts.ts";
import { type Made, madeBinding } from "../support/bindings.ts";
import { timestamp } from "../support/documents.ts";
import { linksPath, received } from "../support/emails.ts";
import { messageWithAttachment, plainMessage } from "../support/messages.ts";
import { acceptsRequestVariants, answersHead } from "../support/request-variants.ts";

let anna: TestAccount;
let binding: Made;
let path: string;
/** Newest first. */
let links: unknown[];

beforeAll(async () => {
  anna = await newAccount("anna");
  binding = await madeBinding(anna, { is_browsable: "true" });
  path = `${linksPath}/${binding.id}`;
  const plain = await received(anna, binding, plainMessage);
  const attached = await received(anna, binding, messageWithAttachment);
  const bare = await received(anna, binding, "To: x@example.org\n\n\n");
  links = [linkOf(bare.emailId, "", 0), linkOf(attached.emailId, "Grüße 🎉", 1), linkOf(plain.emailId, "Hello", 0)];
});

const linkOf = (id: string, subject: string, attachmentsCounter: number) => ({
  type: "received_emails_link",
  id,
  attributes: {
    recipient_email: binding.proxyAddress,
    sender_email: "ann@example.com",
    subject,
    attachmentsCounter,
    link: `/api/v1/received-emails/${id}`,
    is_processed: true,
    created_at: timestamp,
    updated_at: timestamp,
  },
});

acceptsRequestVariants(
  () => anna,
  () => ({ method: "GET", path }),
  ({ status, body }) => {
    expect(status).toBe(200);
    expect(body).toEqual({ data: links });
  },
);

answersHead(
  () => anna,
  () => path,
);

test("in whatever case the binding's id is written", async () => {
  const { body } = await anna.ask("GET", `${linksPath}/${binding.id.toUpperCase()}`);
  expect(body).toEqual({ data: links });
});

test("page by page where that is asked for, by the next page's own address", async () => {
  const seen: unknown[] = [];
  let next: string | undefined = `${path}?page[size]=1`;
  while (next) {
    const isLast = seen.length + 1 === links.length;
    const { status, body } = await anna.ask("GET", next);
    expect(status).toBe(200);
    expect(body).toEqual({ data: [links[seen.length]], links: { next: isLast ? null : expect.any(String) } });
    seen.push(...Object.values(body["data"] ?? {}));
    next = isLast ? undefined : String(body["links"]?.["next"]);
  }
  expect(seen).toEqual(links);
});

test.each([
  ["?page%5Bsize%5D=3", { links: { next: null } }],
  ["?page[size]=1000", { links: { next: null } }],
  ["?page=2&limit=1", {}],
])("%s gives them all", async (query, more) => {
  const { status, body } = await anna.ask("GET", `${path}${query}`);
  expect(status).toBe(200);
  expect(body).toEqual({ data: links, ...more });
});

test("nothing yet is an empty list", async () => {
  const { id } = await madeBinding(anna, { is_browsable: 1 });
  const { status, body } = await anna.ask("GET", `${linksPath}/${id}`);
  expect(status).toBe(200);
  expect(body).toEqual({ data: [] });
});
