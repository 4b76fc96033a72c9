import type { Document, RestClient } from "./rest-client.ts";

export interface MadeBinding {
  id: string;
  proxyAddress: string;
  attributes: Document;
}

/** Makes a proxy binding over REST. @throws Error with the answer when it is not 201. */
export async function makeBinding(rest: RestClient, attributes: Record<string, unknown>): Promise<MadeBinding> {
  const answer = await rest.send("POST", "/api/v1/proxy-bindings", { data: { type: "proxy_bindings", attributes } });
  const data = answer.body?.["data"];
  if (answer.status !== 201 || !data) throw new Error(`making a binding answered ${answer.status}: ${answer.text}`);
  return {
    id: String(data["id"]),
    proxyAddress: String(data["attributes"]?.["proxy_address"]),
    attributes: data["attributes"] as Document,
  };
}

/** Changes a proxy binding over REST. @throws Error with the answer when it is not 200. */
export async function changeBinding(
  rest: RestClient,
  id: string,
  attributes: Record<string, unknown>,
): Promise<Document> {
  const answer = await rest.send("PATCH", `/api/v1/proxy-bindings/${id}`, {
    data: { id, type: "proxy_bindings", attributes },
  });
  if (answer.status !== 200 || !answer.body)
    throw new Error(`changing a binding answered ${answer.status}: ${answer.text}`);
  return answer.body["data"] as Document;
}
