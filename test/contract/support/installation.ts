import { join } from "node:path";
import type { authContract } from "../../../services/auth/contract.ts";
import type { Client } from "../../../services/platform/rpc/contract.ts";
import { runServer } from "../../support/run/run-server.ts";

/** The one installation of the contract suite, as its keeper tells of it. */
export interface ContractInstallation {
  url: string;
  smtpPort: number;
  dataDir: string;
  /** A file of everything that it has printed. */
  logPath: string;
  operatorUrl: string;
}

export interface OperatorCall {
  procedure: string;
  input: unknown;
  /** When the call believes to be made, in milliseconds since 1970; absent: now. */
  atMs?: number;
}

const startLimitMs = 150_000;

let installation: Promise<ContractInstallation> | undefined;

/** Started by whoever asks first, and shared by all workers of this jest run. */
export function contractInstallation(): Promise<ContractInstallation> {
  installation ??= runServer("contract", join(import.meta.dirname, "installation-process.ts"), startLimitMs).then(
    (told) => JSON.parse(told) as ContractInstallation,
  );
  return installation;
}

/** What an operator, or the web application, does by way of auth: accounts, second factors, new tokens. */
export function operator(atMs?: number): Client<typeof authContract> {
  return new Proxy({} as Client<typeof authContract>, {
    get: (_, procedure: string) => (input: unknown) => operate({ procedure, input, atMs }),
  });
}

async function operate(call: OperatorCall): Promise<unknown> {
  const { operatorUrl } = await contractInstallation();
  const answer = await fetch(operatorUrl, { method: "POST", body: JSON.stringify(call) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${call.procedure}: ${text}`);
  return JSON.parse(text);
}
