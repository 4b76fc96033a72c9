import { reasonTeller } from "../reason-of.ts";

/**
 * The server's sentences that speak of the API, or do not say what to do, as a person is told: "{}" stands for what differs from case
 * to case. Exported for tests: test/lint/refusal-texts holds them to what services say.
 */
export const reasons: Readonly<Record<string, string>> = {
  "Must be an absolute http or https URL.": "Enter a full URL, beginning with https:// or http://.",
  "Its host is a loopback, private or otherwise special address, which callbacks may not reach.":
    "Webhooks can't reach local or private addresses. Use a host on the internet.",
  "The domain is no host name.": "Enter the name alone, for example: example.com",
  "The domain is a public suffix: strangers register names under it.":
    "Anybody can register names under this domain. Enter one that is yours.",
  "The address is no valid email address: it has no @.": "Enter a full email address. This one has no @.",
  "The address is no real address of yours that is verified.": "Use an address of yours that is verified.",
  "This proxy binding has no callback URL.": "This address has no webhook.",
  "An account may have {} recorders: remove one that you no longer need.":
    "You can have {} test endpoints. Remove one that you no longer need.",
  "Must not be empty: a binding needs at least one real address.": "The last address can't be removed.",
};

const reasonOf = reasonTeller(reasons);

/** Of a kind that the server says more of, in our words or in its own: what it says of a field is the end of a sentence. */
export const reason = (said: string) =>
  reasonOf(said) ?? said.replace(/^(?:Is|Has) /, (verb) => `This ${verb.toLowerCase()}`);
