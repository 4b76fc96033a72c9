import { z } from "zod";

export const RecorderDocument = z
  .object({ status: z.literal("ok"), call_url: z.string(), get_url: z.string(), id: z.string() })
  .meta({ id: "Recorder" });

export const RecordingDocument = z
  .object({
    status: z.literal("ok"),
    code: z.literal("ok"),
    is_received: z.boolean().meta({ description: "False until something was sent to the call URL" }),
    payload: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.string(), z.null()]),
    method: z.string().nullable().meta({ example: "POST" }),
  })
  .meta({ id: "Recording" });

export const RecordedDocument = z.object({ status: z.literal("ok") }).meta({ id: "Recorded" });
