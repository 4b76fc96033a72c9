/** The part of mx-connect 2 that we use; it ships no types. */
declare module "mx-connect" {
  import type { X509Certificate } from "node:crypto";
  import type { Socket } from "node:net";
  import type { MTASTSPolicy } from "mailauth";

  export interface MxOptions {
    target: string;
    port: number;
    maxConnectTime: number;
    localHostname: string;
    ignoreMXHosts: string[];
    dnsOptions: { resolveRecords(domain: string, type: string): Promise<unknown[]> };
    /** Called before each connection; an error ends the whole. */
    connectHook(delivery: unknown, options: { host: string }, done: (error?: Error) => void): void;
    mtaSts: {
      enabled: boolean;
      cache: {
        get(domain: string): Promise<MTASTSPolicy | undefined>;
        set(domain: string, policy: MTASTSPolicy): Promise<void>;
      };
    };
    dane: { enabled: boolean; resolveTlsa(name: string): Promise<TlsaRecord[]> };
  }

  export interface TlsaRecord {
    usage: number;
    selector: number;
    mtype: number;
    cert: Buffer;
  }

  export interface MxConnection {
    socket: Socket;
    hostname: string;
    /** The IP address. */
    host: string;
    requireTls?: boolean;
    policyMatch?: { valid: boolean; mode: string; testing: boolean };
    daneVerifier?(hostname: string, leaf: X509Certificate | undefined, chain: X509Certificate[]): Error | undefined;
  }

  /** What it throws. `temporary`: the same may pass later. */
  export interface MxError extends Error {
    category?: "dns" | "network" | "policy" | "dane";
    temporary?: boolean;
    code?: string;
  }

  const mxConnect: (options: MxOptions) => Promise<MxConnection>;

  export { mxConnect as default };
}
