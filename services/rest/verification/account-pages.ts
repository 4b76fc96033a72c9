import { escaped, page } from "./pages.ts";

/** Asks for the one press that confirms: a mail scanner that only opens links confirms nothing. */
export function confirmAddressPage(username: string): string {
  return page(
    "Is this address yours?",
    `<p>An account was made with the address <strong>${escaped(username)}</strong>.</p>
<form method="post"><button type="submit">Yes, it is mine</button></form>
<p>If you did not make it, close the page: no mail will be forwarded to you.</p>`,
  );
}

export function addressConfirmedPage(username: string): string {
  return page(
    "Confirmed",
    `<p>The address <strong>${escaped(username)}</strong> is confirmed.</p><p><a href="/">Go to your account</a></p>`,
  );
}

/** @param complaint what was wrong with the password given before */
export function newPasswordPage(username: string, complaint = ""): string {
  return page(
    "Choose a new password",
    `<p>For the account <strong>${escaped(username)}</strong>.</p>
<form method="post">${complaint ? `<p role="alert">${escaped(complaint)}</p>` : ""}
<input type="text" name="username" autocomplete="username" value="${escaped(username)}" hidden>
<label>New password <input type="password" name="password" autocomplete="new-password" minlength="8" required autofocus></label>
<button type="submit">Set the password</button></form>`,
  );
}

export function passwordSetPage(username: string): string {
  return page(
    "The password is set",
    `<p>Sign in as <strong>${escaped(username)}</strong> with the new password; everybody was signed out.</p><p><a href="/">Sign in</a></p>`,
  );
}
