import { mark, style } from "./look.ts";

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
<style>${style}</style>
</head>
<body>
<div class="entrance">
<header>${mark}</header>
<main>
<h1>${escaped(title)}</h1>
${content}
</main>
</div>
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
