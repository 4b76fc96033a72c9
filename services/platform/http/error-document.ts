import type { ServiceError } from "../errors.ts";

/** An error as the contract shows it: never a path or a line of a server. */
export interface ErrorDocument {
  data: { id: string; type: "errors"; attributes: { message: string; exception: string; file: string; line: 0 } };
}

export function errorDocument(error: ServiceError, service: string): ErrorDocument {
  const attributes = {
    message: error.publicMessage,
    exception: error.kind,
    file: error.service ?? service,
    line: 0 as const,
  };
  return { data: { id: error.id, type: "errors", attributes } };
}
