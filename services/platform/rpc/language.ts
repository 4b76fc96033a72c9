import { z } from "zod";

/** Those that people are written to in. */
export const Language = z.enum(["en", "de"]);
export type Language = z.output<typeof Language>;
