import type { FleetService } from "../../scripts/fleet/fleet.ts";
import type { ApiRequest } from "../support/http/api-load.ts";
import { call } from "../support/http/rest-client.ts";
import type { FaultFixture } from "./fault-fixture.ts";

/** A request, and what has to be there for it beside rest and gateway. */
interface ServedRequest extends ApiRequest {
  needs: readonly FleetService[];
}

/** Requests over all that the API offers, each good as long as the installation is well. The binding that is browsable has to have an email. */
export async function apiRequests({ rest, browsable, installation }: FaultFixture): Promise<ServedRequest[]> {
  const links = await rest.get(`/api/v1/received-emails-links/${browsable.id}?page[size]=1`);
  const link = String(links.body?.["data"]?.[0]?.["attributes"]?.["link"]);
  const recorder = (await rest.send("POST", "/api/v1/callback")).body?.["id"];
  const { username, password } = installation.account;
  const signIn = { data: { type: "auth-request", attributes: { username, password } } };
  const change = { data: { type: "proxy_bindings", attributes: { description: "changed" } } };
  const bearer = { authorization: `Bearer ${rest.bearer}` };
  const get = (path: string, ...needs: FleetService[]): ServedRequest => {
    return { method: "GET", path, headers: { token: rest.token }, needs: ["auth", ...needs] };
  };
  return [
    { method: "POST", path: "/api/v1/auth", body: signIn, needs: ["auth"] },
    { ...get("/api/v1/api-token"), headers: bearer },
    get("/api/v1/users/me"),
    get("/api/v1/proxy-bindings", "bindings"),
    { ...get(`/api/v1/proxy-bindings/${browsable.id}`, "bindings"), method: "PATCH", body: change },
    get(`/api/v1/received-emails-links/${browsable.id}?page[size]=5`, "mailbox", "bindings"),
    get(link, "mailbox", "bindings"),
    get(`/api/v1/callback/get/${recorder}`, "webhook"),
    { method: "PUT", path: `/api/v1/callback/call/${recorder}`, body: { any: "thing" }, needs: ["webhook"] },
  ];
}

/** What /readyz of a process says is not ready; none when it is. */
export async function notReady(baseUrl: string): Promise<{ module: string; reason: string }[]> {
  const answer = await call(`${baseUrl}/readyz`, "GET");
  return (answer.body?.["waiting"] ?? []) as { module: string; reason: string }[];
}
