import type { Request, Response } from "express";

const name = "postern-complaint";
const lifetimeMs = 60_000;

/**
 * Shows a form again with what is to be put right in it. It is a GET that shows it: a browser that goes back to the answer of a POST asks
 * whether to send the form again (RFC 9110, section 15.4.4).
 */
export function askAgain(response: Response, path: string, complaint: string): void {
  response.cookie(name, complaint, { path, httpOnly: true, sameSite: "strict", maxAge: lifetimeMs });
  response.redirect(303, path);
}

/** What is to be put right, if anything; it is told once. */
export function takeComplaint(request: Request, response: Response, path: string): string {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  if (value === undefined) return "";
  response.clearCookie(name, { path });
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
