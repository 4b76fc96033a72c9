import { expect, test } from "@jest/globals";
import { askAt } from "./support/ask.ts";
import { everyServiceQuery } from "./support/every-service-query.ts";
import { brokenInstallations } from "./support/outages.ts";

const startLimitMs = 240_000;

/** The error of a field whose service is gone: what it is, and where its null is. */
const unavailable = (service: string, missing: string, path: readonly (string | number)[] = [missing]) => ({
  message: `${service} cannot answer right now; missing: ${missing}.`,
  path,
  extensions: {
    code: "UNAVAILABLE",
    kind: "Unavailable",
    id: expect.any(String),
    service,
    retryAfterS: expect.any(Number),
    missing: [missing],
  },
});

const byService = (a: { extensions: { service: string } }, b: { extensions: { service: string } }) =>
  a.extensions.service.localeCompare(b.extensions.service);

test(
  "a service that is gone costs its own fields: the rest comes, with an error at each field that is missing",
  async () => {
    const { answerWithoutMail, servicesGone } = await brokenInstallations();
    const { data, errors } = answerWithoutMail as { data: unknown; errors: ReturnType<typeof unavailable>[] };
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
      unavailable("mailbox", "ProxyBinding.emails", ["proxyBindings", "nodes", 0, "emails"]),
      unavailable("webhook", "recorders"),
    ]);
  },
  startLimitMs,
);

test(
  "with auth alone behind the gateway, the account is shown without its bindings, and a change is refused",
  async () => {
    const { servicesGone } = await brokenInstallations();
    const headers = { "content-type": "application/json", token: servicesGone.token };
    const ask = (query: string) =>
      askAt(servicesGone.url, { method: "POST", path: "/graphql", headers, body: { query } });
    const { status, body } = await ask(everyServiceQuery);
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
    expect(errors).toEqual(
      expect.arrayContaining([
        unavailable("bindings", "proxyBindings"),
        unavailable("bindings", "Account.quota", ["me", "quota"]),
        unavailable("webhook", "recorders"),
      ]),
    );
    expect(errors).toHaveLength(3);
    const change = (await ask(`mutation { createRecorder { recorder { id } } }`)).body;
    expect(change).toEqual({
      data: { createRecorder: null },
      errors: [unavailable("webhook", "createRecorder")],
    });
  },
  startLimitMs,
);
