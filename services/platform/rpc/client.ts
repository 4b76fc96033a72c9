import { createTRPCUntypedClient, httpLink, TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { messageOf, Outage, Refusal } from "../errors.ts";
import { askPeer } from "./ask-peer.ts";
import type { Client, Contract } from "./contract.ts";
import type { ServiceRouter } from "./router.ts";
import { asRefusal, decodeError, encodeError, isWireError } from "./wire-errors.ts";

type Link = TRPCLink<ServiceRouter>;

/** The client of a contract over any link. A refusal of the service is thrown as itself; anything else as an outage of it. */
export function createClient<C extends Contract>(contract: C, link: Link): Client<C> {
  const untyped = createTRPCUntypedClient<ServiceRouter>({ links: [link] });
  const calls = Object.entries(contract.procedures).map(([name, { kind, output }]) => {
    const run = async (input: unknown) => {
      try {
        return output.parse(await (kind === "query" ? untyped.query(name, input) : untyped.mutation(name, input)));
      } catch (error) {
        throw error instanceof TRPCClientError ? refusalOf(error, contract.service) : error;
      }
    };
    return [name, run];
  });
  return Object.fromEntries(calls) as Client<C>;
}

function refusalOf(error: TRPCClientError<ServiceRouter>, service: string): Refusal {
  const wire: unknown = (error.data as { refusal?: unknown } | undefined)?.refusal;
  return isWireError(wire) ? decodeError(wire) : new Outage(service, { cause: error.cause ?? error });
}

/** A link to a service of the same process. What goes through it is encoded and decoded all the same, so that both ways mean one thing. */
export function inProcessLink(service: string, router: () => ServiceRouter): Link {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const caller = router().createCaller({}) as unknown as Record<string, (input: unknown) => Promise<unknown>>;
        const answer = async () => caller[op.path]?.(encoded(op.input));
        answer().then(
          (output) => {
            observer.next({ result: { type: "data", data: encoded(output) } });
            observer.complete();
          },
          (error: unknown) => {
            const cause = error instanceof Error && error.cause instanceof Refusal ? error.cause : asRefusal(error);
            observer.error(
              TRPCClientError.from({
                error: { code: -32_603, message: messageOf(cause), data: { refusal: encodeError(cause, service) } },
              } as never),
            );
          },
        );
      });
}

/** JSON there and back, as over the wire: undefined members go, dates become strings, nothing is shared. */
function encoded(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

export interface HttpLinkOptions {
  /** The peer's base URL; its RPC is under /rpc/<service>. */
  url: string;
  service: string;
  timeoutMs: number;
  /** A fresh signed statement of which installation is calling. */
  token(): Promise<string>;
}

/** A link over HTTP with a deadline, the trace, and a signed service token. A connection that is refused is tried once more. */
export function httpServiceLink(options: HttpLinkOptions): Link {
  return httpLink({
    url: `${options.url}/rpc/${options.service}`,
    methodOverride: "POST",
    headers: async () => ({ authorization: `Bearer ${await options.token()}` }),
    fetch: (input, init) => {
      const procedure = new URL(String(input)).pathname.split("/").at(-1);
      const request = { ...(init as RequestInit), signal: AbortSignal.timeout(options.timeoutMs) };
      return askPeer(`${options.service}.${procedure}`, String(input), request);
    },
  });
}
