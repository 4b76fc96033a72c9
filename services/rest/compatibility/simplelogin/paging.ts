import { z } from "zod";
import { Refusal } from "../../../platform/errors.ts";

export const pageSize = 20;

export const paged = { page_id: { schema: z.string(), description: "From 0; 20 to a page" } };

/** @throws Refusal ValidationFailed */
export function pageOf(query: URLSearchParams): number {
  const given = query.get("page_id") ?? "0";
  if (!/^\d{1,6}$/.test(given))
    throw new Refusal("ValidationFailed", { public: "page_id: expected a whole number from 0." });
  return Number(given);
}
