import { expect, test } from "@jest/globals";
import { compatibilityEndpoints } from "../../services/rest/compatibility/endpoints.ts";
import { endpoints } from "../../services/rest/endpoints.ts";
import { ask } from "./support/ask.ts";
import { errorDocument } from "./support/documents.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];

const taken = Map.groupBy(endpoints, ({ path }) => path);

const isCompatible = (path: string) => compatibilityEndpoints.some((each) => each.path === path);

const refused = [...taken].flatMap(([path, ofPath]) => {
  const allowed = ofPath.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  if (allowed.includes("ANY")) return [];
  // Pages of every origin may ask what they may call there.
  const others = methods.filter((method) => !allowed.includes(method) && !(isCompatible(path) && method === "OPTIONS"));
  return others.map((method): [string, string, string] => [method, path, allowed.join(", ")]);
});

test.each(refused)("%s %s: 405, there is %s", async (method, path, allowed) => {
  const answer = await ask({ method, path: path.replaceAll(/\{\w+\}/g, "1"), body: "[]" });
  expect(answer.status).toBe(405);
  expect(answer.headers["allow"]).toBe(allowed);
  // Programs made for other services read what is wrong from these.
  const strings = isCompatible(path) ? { error: expect.any(String), message: expect.any(String) } : {};
  if (method !== "HEAD") expect(answer.body).toEqual({ ...errorDocument("MethodNotAllowed", "rest"), ...strings });
});

test("no other origin may read what is answered: there is no CORS", async () => {
  const headers = { origin: "https://example.com", "access-control-request-method": "GET" };
  for (const method of ["OPTIONS", "GET"]) {
    const answer = await ask({ method, path: "/api/v1/proxy-bindings", headers });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

test.each([
  ["/api/v1", "rest"],
  ["/api/v1/", "rest"],
  ["/api/v1/proxy-bindings/1/2", "rest"],
  ["/api/v1//proxy-bindings", "rest"],
  ["/api/v1/proxy-bindings%2f1", "rest"],
  ["/api/v1/received-emails", "rest"],
  ["/api/v1/callback/get", "rest"],
  ["/api/v1/users/you", "rest"],
  ["/api/postern/v1", "rest"],
  ["/api/postern/v1/nothing", "rest"],
  ["/api/v1/../v1/proxy-bindings", "rest"],
  ["/api/v1/%2e%2e/%2e%2e/etc/passwd", "rest"],
  ["/docs/../package.json", "rest"],
  ["/docs/%2e%2e/package.json", "rest"],
  ["/docs/..%2f..%2fpackage.json", "rest"],
  ["/docs/%00", "rest"],
  ["/docs/.git/config", "rest"],
  ["/api/v2/proxy-bindings", "gateway"],
  ["/api/postern/v2/domains", "gateway"],
  ["/api", "gateway"],
  ["/etc/passwd", "gateway"],
  ["//example.com/api/v1/auth", "gateway"],
  ["/rpc/auth/authenticate", "gateway"],
  ["/streams/mailbox/attachmentBytes", "gateway"],
])("there is nothing at %s", async (path, file) => {
  for (const method of ["GET", "POST"]) {
    const answer = await ask({ method, path });
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.body).toEqual(errorDocument("NotFound", file));
  }
});

test.each(["/api/v1/proxy-bindings/%ff", "/api/v1/proxy-bindings/%", "/api/v1/callback/get/%zz", "/api/v1/%c3%28/x"])(
  "%s is no encoding of anything",
  async (path) => {
    const answer = await ask({ method: "PATCH", path });
    expect([400, 404, 405]).toContain(answer.status);
    expect(answer.body).toEqual(errorDocument(expect.any(String), "rest"));
  },
);
