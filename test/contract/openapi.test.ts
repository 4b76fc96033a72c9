import { beforeAll, expect, test } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import { endpoints } from "../../services/rest/endpoints.ts";
import { codeBody, signInBody } from "./support/accounts.ts";
import { askAt, type Json } from "./support/ask.ts";
import { bindingBody } from "./support/bindings.ts";
import { type OpenApi, openApi, validatorOf } from "./support/declared.ts";
import { contractInstallation } from "./support/installation.ts";

let declared: OpenApi;
let document: Json;
beforeAll(async () => {
  declared = await openApi((await contractInstallation()).url);
  document = declared as unknown as Json;
});

const operations = () =>
  Object.entries(document["paths"] ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => ({ path, method, operation: operation as Json })),
  );

const fits = (schema: Json | undefined, value: unknown) => {
  const validate = validatorOf(declared, schema ?? {});
  validate(value);
  return validate.errors ?? [];
};

test("it is valid OpenAPI 3.1, and anybody may read it", async () => {
  const { url } = await contractInstallation();
  const answer = await fetch(`${url}/openapi.json`);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  const shown = (await answer.json()) as Record<string, unknown>;
  expect(await new Validator().validate(shown)).toEqual({ valid: true });
  expect(shown["openapi"]).toBe("3.1.0");
  expect(shown["servers"]).toEqual([{ url }]);
});

test("every endpoint is there with all its answers, and says who may ask", () => {
  for (const endpoint of endpoints) {
    const method = endpoint.method === "ANY" ? "post" : endpoint.method.toLowerCase();
    const operation = document["paths"]?.[endpoint.path]?.[method];
    expect(Object.keys(operation?.["responses"] ?? {})).toEqual(Object.keys(endpoint.responses));
    const schemes = Object.values(operation?.["security"] ?? {}).flatMap((scheme) => Object.keys(scheme ?? {}));
    const expected = { none: [], bearer: ["bearer"], "token or bearer": ["token", "bearer"] };
    const compatibilitySchemes = endpoint.compatibility ? ["authentication"] : [];
    expect(schemes).toEqual([...compatibilitySchemes, ...expected[endpoint.credentials]]);
  }
  expect(Object.keys(document["components"]?.["securitySchemes"] ?? {})).toEqual(["token", "authentication", "bearer"]);
});

test("everything that a user meets has a name of its own, a description, and headers where they matter", () => {
  const names = operations().map(({ operation }) => String(operation["operationId"]));
  expect(new Set(names).size).toBe(names.length);
  const tags = Object.values(document["tags"] ?? {}).map((tag) => tag?.["name"]);
  for (const { operation } of operations()) {
    expect(String(operation["summary"])).toMatch(/^[A-Z].{10,}/);
    expect(tags).toContain(operation["tags"]?.["0"]);
    for (const parameter of Object.values(operation["parameters"] ?? {}))
      expect(String(parameter?.["description"])).toMatch(/.{10,}/);
    for (const [status, answer] of Object.entries(operation["responses"] ?? {})) {
      expect(String(answer?.["description"])).toMatch(/^[A-Z].*\.$/s);
      const headers = Object.keys(answer?.["headers"] ?? {});
      expect([status, headers]).toEqual([
        status,
        { 401: ["WWW-Authenticate"], 415: ["Accept-Encoding"] }[status] ?? retryAfter(status),
      ]);
    }
  }
});

const retryAfter = (status: string) => (["429", "503"].includes(status) ? ["Retry-After"] : []);

test("every example fits its schema", () => {
  const schemas = Object.values(document["components"]?.["schemas"] ?? {});
  const contents = operations().flatMap(({ operation }) =>
    Object.values(operation["responses"] ?? {}).flatMap((answer) => Object.values(answer?.["content"] ?? {})),
  );
  const cases = [
    ...schemas.map((schema) => [schema, schema?.["example"]] as const),
    ...contents.map((content) => [content?.["schema"], content?.["example"]] as const),
  ].filter(([, example]) => example !== undefined);
  expect(cases.length).toBeGreaterThan(50);
  for (const [schema, example] of cases) expect(fits(schema, example)).toEqual([]);
  for (const name of ["SignIn", "SecondFactor", "ProxyBindingCreation", "ProxyBindingChange"])
    expect(document["components"]?.["schemas"]?.[name]?.["example"]).toBeDefined();
});

test.each<[string, unknown]>([
  ["SignIn", signInBody("jane@example.com", "x")],
  ["SecondFactor", codeBody("123456")],
  ["ProxyBindingCreation", bindingBody({})],
  ...[true, false, "true", "false", 1, 0].map((is_browsable): [string, unknown] => [
    "ProxyBindingCreation",
    bindingBody({ is_browsable, proxy_address: null, callback_url: null, real_addresses: [], unknown: 1 }),
  ]),
  ["ProxyBindingChange", bindingBody({ real_addresses: { "a@example.org": true }, received_emails: "x" }, "id")],
  ["ProxyBindingChange", bindingBody({ real_addresses: { "a@example.org": { is_enabled: true, is_verified: true } } })],
  ["ProxyBindingChange", bindingBody({ real_addresses: ["a@example.org"], is_browsable: "true" })],
])("%s shows what may be sent: %j", (name, body) => {
  expect(fits(document["components"]?.["schemas"]?.[name], body)).toEqual([]);
});

test("the reference at /docs/api and all that it loads is there, and comes from here", async () => {
  const { url } = await contractInstallation();
  const page = await fetch(`${url}/docs/api`);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
  const loaded = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  expect(loaded.length).toBeGreaterThan(2);
  for (const path of loaded) {
    expect(path).toMatch(/^\/(docs\/|postern\.svg$)/);
    // Over a connection of its own: a slow machine's kept one may be closed by the time it is used again.
    const { status, text } = await askAt(url, { method: "GET", path });
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(0);
  }
});
