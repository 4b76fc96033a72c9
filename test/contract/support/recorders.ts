import { expect } from "@jest/globals";
import type { TestAccount } from "./accounts.ts";
import type { Answer } from "./ask.ts";
import { contractInstallation } from "./installation.ts";

export const recorderPath = "/api/v1/callback";
/** Where DELETE removes one. */
export const removalPath = "/api/v1/recorders";

/** Makes a recorder, and gives its hash. */
export async function madeRecorder(account: TestAccount): Promise<string> {
  const { body } = await account.ask("POST", recorderPath);
  return String(body["id"]);
}

export async function expectRecorder({ status, body }: Answer): Promise<void> {
  const { url } = await contractInstallation();
  expect(status).toBe(200);
  const id = String(body["id"]);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  const base = `${url}${recorderPath}`;
  expect(body).toEqual({ status: "ok", call_url: `${base}/call/${id}`, get_url: `${base}/get/${id}`, id });
}

export function recordingOf(payload: unknown, method: string | null) {
  return { status: "ok", code: "ok", is_received: method !== null, payload, method };
}
