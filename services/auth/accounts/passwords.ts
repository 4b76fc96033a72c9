import { hash, parseOptions, verify } from "@node-rs/argon2";
import { Refusal } from "../../platform/errors.ts";

/** Argon2id as OWASP's password storage cheat sheet has it: 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Half of libuv's pool, whose other half stays with files and name lookups however many sign in. */
const hashingSlots = 2;

/** At some 50 a second on a core, the last in line waits about as long as its caller does. */
const maxQueue = 200;

/** What a hash costs an attacker it costs us: longer passwords are refused unread. */
const maxPasswordBytes = 1024;

/** Hashes and checks passwords off the event loop, a bounded number at once. */
export class Passwords {
  /** Checked where there is no account, so that the time it takes tells nothing. */
  readonly #nobodys = hash("nobody's password", cost);
  readonly #waiting: (() => void)[] = [];
  #freeSlots = hashingSlots;

  /** @throws Refusal ValidationFailed for one that is empty or over 1,024 bytes. */
  async hash(password: string): Promise<string> {
    if (password === "" || !isHashable(password)) {
      throw new Refusal("ValidationFailed", {
        field: "password",
        public: `must have 1 to ${maxPasswordBytes} bytes of valid Unicode.`,
      });
    }
    return this.#inSlot(() => hash(prepared(password), cost));
  }

  /**
   * Whether a password is the one that was hashed; false after the same time when there is no hash.
   * @param before runs when it is this password's turn: what it throws ends it, so that no number of guesses sent at once
   * gets past a limit that is checked there.
   */
  async verify(
    hashed: string | undefined,
    password: string,
    before: () => Promise<void> = async () => undefined,
  ): Promise<boolean> {
    if (!isHashable(password)) return false;
    return this.#inSlot(async () => {
      await before();
      const isRight = await verify(hashed ?? (await this.#nobodys), prepared(password));
      return isRight && hashed !== undefined;
    });
  }

  /** Whether a hash was made at another cost than today's. */
  isOutdated(hashed: string): boolean {
    const made = parseOptions(hashed);
    return (
      made.memoryCost !== cost.memoryCost || made.timeCost !== cost.timeCost || made.parallelism !== cost.parallelism
    );
  }

  async #inSlot<T>(run: () => Promise<T>): Promise<T> {
    if (this.#freeSlots > 0) this.#freeSlots -= 1;
    else await this.#turn();
    try {
      return await run();
    } finally {
      // The slot goes to the next in line as it is, or becomes free.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#freeSlots += 1;
    }
  }

  async #turn(): Promise<void> {
    if (this.#waiting.length >= maxQueue) {
      throw new Refusal("RateLimited", {
        public: "Too many are signing in at this moment; please try again shortly.",
        retryAfterS: 5,
      });
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

function isHashable(password: string): boolean {
  return password.isWellFormed() && Buffer.byteLength(prepared(password)) <= maxPasswordBytes;
}

/** One password, however its accents were typed (OpaqueString, RFC 8265 section 4.2). */
function prepared(password: string): string {
  return password.normalize("NFC");
}
