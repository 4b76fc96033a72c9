/** The paths of SimpleLogin's API (at the origin) and of addy.io's (under /addy, and at /api/v1/aliases), which REST serves. */
const compatibilityPath =
  /^\/(?:addy\/api\/v1\/aliases|api\/(?:v1\/aliases|alias\/random\/new|user_info|setting|(?:aliases|contacts)\/[^/?]+(?:\/\w+)?|v2\/(?:aliases|mailboxes|setting\/domains)|v3\/alias\/custom\/new|v5\/alias\/options))\/?(?=\?|$)/;

/**
 * The request target of a call to them, as REST knows it; undefined for any other. Base URLs are put in front of paths as
 * they are: one with a slash at its end makes two of it.
 */
export function compatibilityTarget(url: string): string | undefined {
  const target = url.replace(/^\/+/, "/").replace(/^\/addy\/+/, "/addy/");
  return compatibilityPath.test(target) ? target : undefined;
}
