import { z } from "zod";

/** The languages that mail to people, and pages behind its links, are written in. */
export const Language = z.enum(["en", "de"]);
export type Language = z.output<typeof Language>;
