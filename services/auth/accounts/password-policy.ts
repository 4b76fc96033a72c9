import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { Refusal } from "../../platform/errors.ts";

/** NIST SP 800-63B-4 section 3.1.1.2 and OWASP ASVS 5.0 section 6.2: length, no rules of composition, and no common passwords. */
const minCharacters = 8;

/**
 * What is looked at: the estimate's time grows with the square of the length (60 ms for the worst 40 characters, 160 ms for 64), and a
 * password whose beginning is hard to guess is hard to guess.
 */
const assessedCharacters = 40;

/** Of 4: below it, an attacker needs less than a million guesses. */
const minScore = 2;

/** What people may choose as a password. BOOTSTRAP_PASSWORD and the operator's command are exempt. */
export class PasswordPolicy {
  readonly #serviceName: string;
  #estimator: Promise<ZxcvbnFactory> | undefined;

  constructor(serviceName: string) {
    this.#serviceName = serviceName;
  }

  /**
   * @param username whose parts an attacker tries first
   * @param field what the password is called where it was given
   * @throws Refusal ValidationFailed for one that is short or easy to guess
   */
  async check(password: string, username: string, field = "password"): Promise<void> {
    if ([...password].length < minCharacters)
      throw new Refusal("ValidationFailed", { field, public: `must have at least ${minCharacters} characters.` });
    if (await this.isGuessable(password, username))
      throw new Refusal("ValidationFailed", {
        field,
        public: "is too easy to guess. Use a longer one, such as a few words that have nothing to do with each other.",
      });
  }

  /** Whether it is among the common passwords, made of the account's own names, or otherwise found within a million guesses. */
  async isGuessable(password: string, username: string): Promise<boolean> {
    const assessed = [...password.normalize("NFC")].slice(0, assessedCharacters).join("");
    const { score } = (await this.#loaded()).check(assessed, namesOf(username, this.#serviceName));
    return score < minScore;
  }

  /** Loaded when first needed: the dictionary takes 24 MB of memory. */
  #loaded(): Promise<ZxcvbnFactory> {
    this.#estimator ??= loadEstimator();
    return this.#estimator;
  }
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs: graphs }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs, maxLength: assessedCharacters });
}

/** The username, its local part, its domain, the words in them, and each with its words run together. */
function namesOf(username: string, serviceName: string): string[] {
  const [localPart = "", domain = ""] = username.split("@");
  const names = [username, localPart, domain, serviceName, ...domain.split("."), ...username.split(/[^\p{L}\p{N}]/u)];
  const runTogether = names.map((name) => name.replaceAll(/[^\p{L}\p{N}]/gu, ""));
  return [...new Set([...names, ...runTogether])].filter((name) => name.length > 2);
}
