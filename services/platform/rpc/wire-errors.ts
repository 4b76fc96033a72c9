import { isRefusalKind } from "../error-kinds.ts";
import { asServiceError, InternalError, Outage, Refusal, type ServiceError } from "../errors.ts";

/** An error as it travels between services. */
interface WireError {
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

/** The body of an answer to a call: JSON as tRPC has it, which releases before spoke. */
export interface WireAnswer {
  result?: { data?: unknown };
  error?: { code: number; message: string; data: { refusal: WireError } };
}

/** What a service threw, as it travels to its caller; anything but a ServiceError becomes `Internal`. */
export function encodeError(error: unknown, service: string): WireError {
  const thrown = asServiceError(error);
  return {
    kind: thrown.kind,
    id: thrown.id,
    service: thrown.service ?? service,
    public: thrown.fieldFault?.fault ?? thrown.publicMessage,
    ...(thrown.fieldFault ? { field: thrown.fieldFault.field } : {}),
    ...(thrown.operatorMessage === undefined ? {} : { operator: thrown.operatorMessage }),
    ...(thrown.retryAfterS === undefined ? {} : { retryAfterS: thrown.retryAfterS }),
    ...(thrown instanceof Outage ? { what: thrown.what } : {}),
  };
}

/** The error that came over the wire, as the caller throws it. */
export function decodeError(wire: WireError): ServiceError {
  const detail = {
    public: wire.public,
    field: wire.field,
    operator: wire.operator,
    retryAfterS: wire.retryAfterS,
    service: wire.service,
    id: wire.id,
  };
  if (wire.kind === "Unavailable") return new Outage(wire.what ?? wire.service, detail);
  return isRefusalKind(wire.kind) ? new Refusal(wire.kind, detail) : new InternalError(detail);
}

export function isWireError(value: unknown): value is WireError {
  return typeof value === "object" && value !== null && "kind" in value && "id" in value && "public" in value;
}
