/** Text as HTML shows it. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>
body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 12vh auto; padding: 0 1.25rem; color: #1d2433; background: #fff }
input { font: inherit; display: block; width: 100%; box-sizing: border-box; margin: .3rem 0 1rem; padding: .5rem; border: 1px solid #78839a; border-radius: .5rem; color: inherit; background: transparent }
button { font: inherit; padding: .6rem 1.4rem; border: 0; border-radius: .5rem; color: #fff; background: #1f5fbf; cursor: pointer }
button:focus-visible, input:focus-visible { outline: 3px solid #f0a030; outline-offset: 2px }
@media (prefers-color-scheme: dark) { body { color: #e8ecf4; background: #12161f } button { background: #3b7ddd } }
</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${content}
</main>
</body>
</html>
`;
}

export interface Verification {
  realAddress: string;
  proxyAddress: string;
}

/** Asks for the one press that verifies: a mail scanner that only opens links verifies nothing. */
export function confirmationPage({ realAddress, proxyAddress }: Verification): string {
  return page(
    "Is this address yours?",
    `<p>Mail to <strong>${escaped(proxyAddress)}</strong> is to be forwarded to <strong>${escaped(realAddress)}</strong>.</p>
<form method="post"><button type="submit">Yes, forward it to me</button></form>
<p>If you did not ask for this, close the page: nothing will be forwarded.</p>`,
  );
}

export function verifiedPage({ realAddress, proxyAddress }: Verification): string {
  return page(
    "Verified",
    `<p>From now on, mail to <strong>${escaped(proxyAddress)}</strong> is forwarded to <strong>${escaped(realAddress)}</strong>.</p>`,
  );
}

/** Why a link does not work, what to do about it, and what finds it again in the logs. */
export function failurePage(message: string, advice: string, id: string): string {
  const reference = `<p><small>Reference: ${escaped(id)}</small></p>`;
  return page("This link does not work", `<p>${escaped(message)}</p><p>${advice}</p>${reference}`);
}
