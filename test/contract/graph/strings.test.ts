import { beforeAll, expect, test } from "@jest/globals";
import { madeBinding, newAccount, type TestAccount } from "./support/accounts.ts";

let account: TestAccount;
let bindingId: string;
beforeAll(async () => {
  account = await newAccount();
  bindingId = (await madeBinding(account, { isBrowsable: true })).id;
}, 200_000);

/** What PostgreSQL, a log or a pattern would take amiss. */
const strings = ["", " ", "\u0000", "a\u0000b", "half \ud800", "%_\\", "'; drop table", "x".repeat(10_000), "\u202e🎉"];

/** Every operation that takes a string, with $s in its place. */
const operations: [string, string][] = [
  ["proxyBindings, search", `query ($s: String!) { proxyBindings(search: $s) { totalCount } }`],
  ["proxyBindings, after", `query ($s: String!) { proxyBindings(after: $s) { totalCount } }`],
  ["proxyBinding", `query ($s: ID!) { proxyBinding(id: $s) { id } }`],
  ["emails, search", `query ($s: String!, $id: ID!) { proxyBinding(id: $id) { emails(search: $s) { totalCount } } }`],
  ["emails, after", `query ($s: String!, $id: ID!) { proxyBinding(id: $id) { emails(after: $s) { totalCount } } }`],
  ["receivedEmail", `query ($s: ID!) { receivedEmail(id: $s) { id } }`],
  ["recorder", `query ($s: ID!) { recorder(id: $s) { id } }`],
  [
    "createProxyBinding, address",
    `mutation ($s: String!) { createProxyBinding(input: { proxyAddress: $s }) { isCreated } }`,
  ],
  [
    "createProxyBinding, description",
    `mutation ($s: String!) { createProxyBinding(input: { description: $s }) { isCreated } }`,
  ],
  [
    "createProxyBinding, real address",
    `mutation ($s: String!) { createProxyBinding(input: { realAddresses: [$s] }) { isCreated } }`,
  ],
  [
    "createProxyBinding, callback",
    `mutation ($s: String!) { createProxyBinding(input: { callbackUrl: $s }) { isCreated } }`,
  ],
  [
    "updateProxyBinding",
    `mutation ($s: String!, $id: ID!) { updateProxyBinding(id: $id, input: { description: $s }) { proxyBinding { id } } }`,
  ],
  ["deleteProxyBinding", `mutation ($s: ID!) { deleteProxyBinding(id: $s) { id } }`],
  [
    "resendVerification",
    `mutation ($s: String!, $id: ID!) { resendVerification(proxyBindingId: $id, address: $s) { __typename } }`,
  ],
  ["deleteEmail", `mutation ($s: ID!) { deleteEmail(id: $s) { id } }`],
  [
    "retryDelivery",
    `mutation ($s: ID!, $name: String!) { retryDelivery(emailId: $s, realAddress: $name) { __typename } }`,
  ],
  ["retryCallback", `mutation ($s: ID!) { retryCallback(emailId: $s) { __typename } }`],
  ["testCallback", `mutation ($s: ID!) { testCallback(proxyBindingId: $s) { __typename } }`],
  ["signUp, username", `mutation ($s: String!) { signUp(username: $s, password: "long enough") { token } }`],
  ["signUp, password", `mutation ($s: String!) { signUp(username: "not an address", password: $s) { token } }`],
  ["signIn", `mutation ($s: String!) { signIn(username: $s, password: $s) { token } }`],
  ["requestPasswordReset", `mutation ($s: String!) { requestPasswordReset(username: $s) { isAccepted } }`],
  ["resetPassword", `mutation ($s: String!) { resetPassword(token: $s, password: "long enough") { username } }`],
  ["confirmAddress", `mutation ($s: String!) { confirmAddress(token: $s) { username } }`],
  [
    "changePassword",
    `mutation ($s: String!) { changePassword(currentPassword: $s, newPassword: $s) { account { id } } }`,
  ],
  ["deleteAccount", `mutation ($s: String!) { deleteAccount(password: $s) { id } }`],
  ["confirmSecondFactor", `mutation ($s: String!) { confirmSecondFactor(code: $s) { token } }`],
  ["disableTwoFactor", `mutation ($s: String!) { disableTwoFactor(code: $s) { account { id } } }`],
  ["revokeSession", `mutation ($s: ID!) { revokeSession(id: $s) { id } }`],
  [
    "finishPasskeyRegistration",
    `mutation ($s: String!) { finishPasskeyRegistration(responseJson: $s, name: $s) { passkey { id } } }`,
  ],
  ["finishPasskeySignIn", `mutation ($s: String!) { finishPasskeySignIn(responseJson: $s) { token } }`],
  ["renamePasskey", `mutation ($s: ID!, $name: String!) { renamePasskey(id: $s, name: $name) { passkey { id } } }`],
  ["removePasskey", `mutation ($s: ID!) { removePasskey(id: $s) { id } }`],
];

test.each(operations)("%s: no string is a fault of ours", async (_case, query) => {
  for (const s of strings) {
    const { errors } = await account.ask(query, { s, name: s, id: bindingId });
    const codes = errors.map(({ extensions: { code } }) => code);
    // Asked of this schema, and answered or refused for what it says.
    const amiss = codes.filter((code) => /^(INTERNAL_SERVER_ERROR|UNAVAILABLE|GRAPHQL_.*)$/.test(code));
    expect({ s, amiss }).toEqual({ s, amiss: [] });
  }
});
