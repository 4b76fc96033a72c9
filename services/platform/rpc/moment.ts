import { z } from "zod";

/** A time as ISO 8601, given as UTC: PostgreSQL takes fewer years and offsets than ISO 8601 has. */
export const Moment = z.iso
  .datetime({ offset: true, error: "expected a time as ISO 8601" })
  .refine(isStorable, { error: "expected a time in the years 1 to 9999" })
  .transform((text) => new Date(text).toISOString());

function isStorable(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9_999;
}
