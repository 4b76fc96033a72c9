import type { ServerResponse } from "node:http";

/** A content security policy (W3C CSP Level 3): directives by name. */
type Policy = Readonly<Record<string, string>>;

/** The application: its own files and nothing else; no style or script inside the page. */
const applicationPolicy: Policy = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  "connect-src": "'self'",
  "frame-src": "'self'",
  "manifest-src": "'self'",
  "form-action": "'self'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'",
};

/**
 * The documents that HTML mail is shown in: no scripts, no forms, nothing from elsewhere. Styles inside are what mail is made
 * of, and pictures are those that came with it. Not 'self': a picture must not reach a recorder's call URL, which would
 * tell the sender that it was read.
 */
function mailPolicy(publicUrl: string): Policy {
  return {
    "default-src": "'none'",
    "style-src": "'unsafe-inline'",
    "img-src": `data: ${publicUrl}/api/v1/attachments/`,
    "form-action": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'self'",
    sandbox: "allow-same-origin allow-popups allow-popups-to-escape-sandbox",
  };
}

/** The policy of each document that the web application serves, by its path; the application's own for all others. */
export function policies(publicUrl: string): (path: string) => string {
  const mail = mailPolicy(publicUrl);
  const remoteMail = { ...mail, "img-src": `${mail["img-src"]} https: http:` };
  const special = new Map([
    ["/mail-frame.html", written(mail)],
    ["/mail-frame-remote.html", written(remoteMail)],
  ]);
  const application = written(applicationPolicy);
  return (path) => special.get(path) ?? application;
}

function written(policy: Policy): string {
  return Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** What every file of the application is served with. */
export function setSecurityHeaders(response: ServerResponse, policy: string): void {
  response.setHeader("content-security-policy", policy);
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader("permissions-policy", "camera=(), geolocation=(), microphone=()");
}
