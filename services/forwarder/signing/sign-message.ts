import type { HeaderField } from "../../message/header/fields.ts";
import { type ArcOptions, arcSet } from "./arc.ts";
import { dkimSignatures } from "./dkim.ts";
import { Signable, type SignableContent } from "./signable.ts";
import type { SigningIdentity } from "./signing-key.ts";

/** A message and what it is signed with. */
export interface SigningTask extends SignableContent {
  /** Undefined: it gets no ARC set. */
  readonly arc: ArcOptions | undefined;
  /** Undefined: it gets no DKIM signatures. */
  readonly dkim: SigningIdentity | undefined;
}

/** The ARC set, then a DKIM signature by each key. */
export function signMessage({ arc, dkim, ...unsigned }: SigningTask): HeaderField[] {
  const message = new Signable(unsigned);
  return [...(arc ? arcSet(message, arc) : []), ...(dkim ? dkimSignatures(message, dkim) : [])];
}
