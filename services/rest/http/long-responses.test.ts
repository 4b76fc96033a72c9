import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { silentLogger } from "../../../test/support/peers/database.ts";
import { Refusal } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { importEndpoints } from "../postern/imports.ts";
import { downloadAttachment } from "../received-emails/download-attachment.ts";
import type { Services } from "../services.ts";
import { restApplication } from "./application.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";

const [accountId, keyId] = [newId(), newId()];
const revoked = new Refusal("BearerTokenInvalid", { public: "It is revoked." });

let isRevoked: boolean;
let close: () => void;

beforeEach(() => {
  isRevoked = false;
  // Every look at the clock is an hour after the last.
  let now = 0;
  jest.spyOn(performance, "now").mockImplementation(() => (now += 3_600_000));
});
afterEach(() => {
  jest.restoreAllMocks();
  close();
});

const auth = {
  authenticate: async () => ({
    accountId,
    username: "jane@example.org",
    isFullyAuthenticated: true,
    key: { id: keyId, scopes: ["admin"], domain: null, targetIds: [] },
  }),
  requireInForce: async (credential: object) => {
    expect(credential).toEqual({ accountId, keyId, scope: expect.any(String), mayHaveExpired: true });
    if (isRevoked) throw revoked;
    return {};
  },
  account: async () => ({ isDisabled: isRevoked }),
};

async function asked(endpoints: readonly Endpoint[], path: string, services: object): Promise<string> {
  const given = { auth, ...services } as unknown as Services;
  const server = createServer(restApplication({ endpoints, pages: [], services: given, logger: silentLogger }));
  server.listen(0, "127.0.0.1");
  close = () => server.close();
  await new Promise((resolve) => server.once("listening", resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    headers: { token: "psk_test" },
  });
  return answer.text();
}

test("JSON in pieces breaks off once what it was asked with is revoked", async () => {
  let made = 0;
  const long = endpoint({
    name: "long",
    tag: "Postern",
    summary: "Long",
    method: "GET",
    path: "/long",
    credentials: "token or bearer",
    scope: "mail:read",
    responses: {},
    async handle() {
      async function* pieces() {
        for (; made < 5; made++) {
          isRevoked = made === 2;
          yield "x".repeat(300 * 1_024);
        }
      }
      return { status: 200, json: pieces() };
    },
  });
  await expect(asked([long], "/long", {})).rejects.toThrow(/terminated|fetch failed/);
  expect(made).toBe(2);
});

test("so does the table of an import, before its next page", async () => {
  const rows = Array.from({ length: 500 }, (_, position) => ({
    position,
    kind: "address",
    old: "x",
    state: "",
    detail: "",
  }));
  let pages = 0;
  const bindings = {
    importJob: async () => ({}),
    importRows: async () => {
      pages += 1;
      isRevoked = pages === 2;
      return rows;
    },
  };
  const path = `/api/postern/v1/imports/${newId()}/addresses`;
  await expect(asked(importEndpoints, path, { bindings })).rejects.toThrow(/terminated|fetch failed/);
  expect(pages).toBe(2);
});

test("so does an attachment behind a signed link, once the account is disabled", async () => {
  const attachment = { filename: "a", mime: "text/plain", sizeBytes: 15, blobId: newId(), ownerId: accountId };
  async function* bytes() {
    yield "first";
    isRevoked = true;
    yield "second";
  }
  const services = {
    mailbox: { attachment: async () => attachment },
    mailboxStreams: { attachmentBytes: async () => Readable.from(bytes()) },
  };
  const path = `/api/v1/attachments/${newId()}/0?expires=1&signature=x`;
  await expect(asked([downloadAttachment], path, services)).rejects.toThrow(/terminated|fetch failed/);
});
