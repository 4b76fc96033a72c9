import { z } from "zod";

/** What each service with a blob store offers to operators, a page at a time. Part of its contract. */
export const bucketProcedures = {
  /** Blobs whose bytes are not in the bucket, or are damaged in their file, and the emails that need them. */
  lostBlobs: {
    kind: "query",
    input: z.object({ after: z.uuid().nullable(), before: z.iso.datetime() }),
    output: z.object({
      blobs: z.array(z.object({ blobId: z.uuid(), emailIds: z.array(z.uuid()) })),
      /** Null after the last. */
      next: z.uuid().nullable(),
    }),
  },
  /** Objects in the bucket that no row knows, and whether they are to be deleted. */
  strayObjects: {
    kind: "mutation",
    input: z.object({ after: z.string().nullable(), before: z.iso.datetime(), areDeleted: z.boolean() }),
    output: z.object({
      found: z.array(z.object({ sizeBytes: z.number().int() })),
      /** Null after the last. */
      next: z.string().nullable(),
    }),
  },
} as const;
