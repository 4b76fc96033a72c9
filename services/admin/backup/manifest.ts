import type { SchemaContent } from "../../platform/db/dump.ts";
import { Secrets } from "../../platform/security/secrets.ts";

/** The first entry of a backup. */
export interface Manifest {
  readonly format: typeof manifestFormat;
  readonly madeAt: string;
  /** A keyed digest of `madeAt`: rows hold what only the same SECRET_KEY can read. */
  readonly keyProof: string;
  readonly schemas: readonly SchemaContent[];
}

export const manifestFormat = 1;

/** Names of entries that are no rows. */
export const entryNames = { manifest: "manifest.json", secretKey: "secret-key", rowCounts: "row-counts.json" } as const;

/** Before a schema and the id of a blob whose bytes lay in a file: an entry of its own, after all rows. */
export const blobEntryPrefix = "blobs/";

const proofPurpose = "backup";

export function keyProof(secretKey: string, madeAt: string): string {
  return new Secrets(secretKey).sign(proofPurpose, madeAt);
}

export function isProvedBy(secretKey: string, { madeAt, keyProof }: Manifest): boolean {
  return new Secrets(secretKey).verify(proofPurpose, madeAt, keyProof);
}
