import { messageOf, Outage, Refusal } from "../errors.ts";
import { isRefusalKind } from "../refusal-kinds.ts";

/** An error as it travels between services. */
export interface WireError {
  kind: string;
  id: string;
  service: string;
  public: string;
  /** The field that is wrong; `public` then says what is wrong with it. */
  field?: string;
  operator?: string;
  retryAfterS?: number;
  what?: string;
}

/** What a service threw, for its caller; anything but a refusal is our own fault and becomes `Internal`. */
export function encodeError(error: unknown, service: string): WireError {
  const refusal = asRefusal(error);
  return {
    kind: refusal.kind,
    id: refusal.id,
    service: refusal.service ?? service,
    public: refusal.fieldFault?.fault ?? refusal.publicMessage,
    ...(refusal.fieldFault ? { field: refusal.fieldFault.field } : {}),
    ...(refusal.operatorMessage === undefined ? {} : { operator: refusal.operatorMessage }),
    ...(refusal.retryAfterS === undefined ? {} : { retryAfterS: refusal.retryAfterS }),
    ...(refusal instanceof Outage ? { what: refusal.what } : {}),
  };
}

/** The error that came over the wire, as the caller throws it. */
export function decodeError(wire: WireError): Refusal {
  const detail = {
    public: wire.public,
    field: wire.field,
    operator: wire.operator,
    retryAfterS: wire.retryAfterS,
    service: wire.service,
    id: wire.id,
  };
  if (wire.what !== undefined) return new Outage(wire.what, detail);
  return new Refusal(isRefusalKind(wire.kind) ? wire.kind : "Internal", detail);
}

export function isWireError(value: unknown): value is WireError {
  return typeof value === "object" && value !== null && "kind" in value && "id" in value && "public" in value;
}

/** Whatever was thrown, as something that both readers can be told. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal("Internal", {
    public: "Something went wrong on our side.",
    operator: messageOf(error),
    cause: error,
  });
}
