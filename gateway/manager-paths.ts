/** What REST answers in the manner of SimpleLogin (at the origin) and of addy.io (under /addy, and at /api/v1/aliases). */
const managerPath =
  /^\/(?:addy\/api\/v1\/aliases|api\/(?:v1\/aliases|alias\/random\/new|user_info|setting|(?:aliases|contacts)\/[^/?]+(?:\/\w+)?|v2\/(?:aliases|mailboxes|setting\/domains)|v3\/alias\/custom\/new|v5\/alias\/options))\/?(?=\?|$)/;

/**
 * The request target of a call in those manners, as REST knows it; undefined for any other. Base URLs are put in front of paths as
 * they are: one with a slash at its end makes two of it.
 */
export function managerTarget(url: string): string | undefined {
  const target = url.replace(/^\/+/, "/").replace(/^\/addy\/+/, "/addy/");
  return managerPath.test(target) ? target : undefined;
}
