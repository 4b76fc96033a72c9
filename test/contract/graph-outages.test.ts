import { expect, test } from "@jest/globals";
import { askAt } from "./support/ask.ts";
import { boardQuery } from "./support/board-query.ts";
import { brokenInstallations } from "./support/outages.ts";

const startLimitMs = 240_000;

/** The one error of a service that is gone: what it is, and what is missing for it. */
const unavailable = (service: string, missing: readonly string[]) => ({
  message: `${service} cannot answer right now; missing: ${missing.join(", ")}.`,
  extensions: {
    code: "UNAVAILABLE",
    kind: "Unavailable",
    id: expect.any(String),
    service,
    retryAfterS: expect.any(Number),
    missing,
  },
});

const byService = (a: { extensions: { service: string } }, b: { extensions: { service: string } }) =>
  a.extensions.service.localeCompare(b.extensions.service);

test(
  "a service that is gone costs its own fields: the rest comes, with an error that names what is missing",
  async () => {
    const { boardWithoutMail, servicesGone } = await brokenInstallations();
    const { data, errors } = boardWithoutMail as { data: unknown; errors: ReturnType<typeof unavailable>[] };
    expect(data).toEqual({
      me: {
        id: expect.any(String),
        username: servicesGone.account.username,
        apiToken: servicesGone.token,
        quota: { used: 1, available: 100 },
      },
      proxyBindings: {
        totalCount: 1,
        nodes: [
          {
            id: servicesGone.bindingId,
            proxyAddress: expect.any(String),
            realAddresses: [{ address: expect.any(String) }],
            owner: { id: expect.any(String), username: servicesGone.account.username },
            emails: null,
          },
        ],
      },
      recorders: null,
    });
    expect(errors.sort(byService)).toEqual([
      unavailable("mailbox", ["ProxyBinding.emails"]),
      unavailable("webhook", ["recorders"]),
    ]);
  },
  startLimitMs,
);

test(
  "with auth alone behind the front door, the account is shown without its bindings, and a change is refused",
  async () => {
    const { servicesGone } = await brokenInstallations();
    const headers = { "content-type": "application/json", token: servicesGone.token };
    const ask = (query: string) =>
      askAt(servicesGone.url, { method: "POST", path: "/graphql", headers, body: { query } });
    const { status, body } = await ask(boardQuery);
    expect(status).toBe(200);
    const { data, errors } = body as unknown as { data: unknown; errors: ReturnType<typeof unavailable>[] };
    expect(data).toEqual({
      me: {
        id: expect.any(String),
        username: servicesGone.account.username,
        apiToken: servicesGone.token,
        quota: null,
      },
      proxyBindings: null,
      recorders: null,
    });
    expect(errors.map(({ extensions: { code, kind, service } }) => [code, kind, service]).sort()).toEqual([
      ["UNAVAILABLE", "Unavailable", "bindings"],
      ["UNAVAILABLE", "Unavailable", "bindings"],
      ["UNAVAILABLE", "Unavailable", "webhook"],
    ]);
    const change = (await ask(`mutation { createRecorder { recorder { id } } }`)).body;
    expect(change).toEqual({
      data: { createRecorder: null },
      errors: [unavailable("webhook", ["createRecorder"])],
    });
  },
  startLimitMs,
);
