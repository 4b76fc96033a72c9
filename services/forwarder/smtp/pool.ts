import type { SmtpSession } from "./session.ts";
import { SmtpFailure } from "./smtp-failure.ts";

export interface PoolOptions {
  open(): Promise<SmtpSession>;
  /** Sessions at once. */
  maxSessions: number;
  /** How long a session that nobody uses is kept, in milliseconds. */
  idleMs: number;
  /** Messages over one session; then it is replaced. */
  maxMessages: number;
}

interface Waiter {
  resolve(session: SmtpSession): void;
  reject(error: unknown): void;
}

/** After a server refused one more session, this long goes by before it is asked for one again. */
const refusedPauseMs = 10_000;

/** Sessions with one destination, kept open and lent out one message at a time; the last one given back goes out first. */
export class SessionPool {
  readonly #options: PoolOptions;
  readonly #idle: { session: SmtpSession; timer: NodeJS.Timeout }[] = [];
  readonly #waiters: Waiter[] = [];
  #lent = 0;
  #opening = 0;
  #refusedUntilMs = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Sessions that carry a message now. */
  get busyCount(): number {
    return this.#lent;
  }

  get isEmpty(): boolean {
    return this.#lent + this.#opening + this.#idle.length + this.#waiters.length === 0;
  }

  /** Lends a session to `run`. @throws SmtpFailure when none can be had; else whatever `run` throws */
  async use<T>(run: (session: SmtpSession) => Promise<T>): Promise<T> {
    const session = await this.#take();
    try {
      return await run(session);
    } finally {
      this.#giveBack(session);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { session, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      session.quit();
    }
  }

  async #take(): Promise<SmtpSession> {
    for (let kept = this.#idle.pop(); kept; kept = this.#idle.pop()) {
      clearTimeout(kept.timer);
      if (!kept.session.isUsable) continue;
      this.#lent += 1;
      return kept.session;
    }
    const isAtLimit = this.#lent + this.#opening >= this.#options.maxSessions;
    const isRefused = this.#lent > 0 && Date.now() < this.#refusedUntilMs;
    return isAtLimit || isRefused ? this.#wait() : this.#open();
  }

  async #open(): Promise<SmtpSession> {
    this.#opening += 1;
    try {
      const session = await this.#options.open();
      this.#lent += 1;
      return session;
    } catch (error) {
      this.#refusedUntilMs = Date.now() + refusedPauseMs;
      const hasOthers = this.#lent + this.#opening > 1;
      // With others open, the server merely wants no more of them: this message waits its turn.
      if (hasOthers && error instanceof SmtpFailure) return this.#wait();
      if (!hasOthers) for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
      throw error;
    } finally {
      this.#opening -= 1;
    }
  }

  #wait(): Promise<SmtpSession> {
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  #giveBack(session: SmtpSession): void {
    this.#lent -= 1;
    const isSpent = session.messageCount >= this.#options.maxMessages;
    if (session.isUsable && (isSpent || this.#isClosed)) session.quit();
    const waiter = this.#waiters.shift();
    if (waiter && session.isUsable) {
      this.#lent += 1;
      waiter.resolve(session);
    } else if (waiter) {
      this.#open().then(
        (fresh) => waiter.resolve(fresh),
        (error) => waiter.reject(error),
      );
    } else if (session.isUsable) {
      this.#keep(session);
    }
  }

  #keep(session: SmtpSession): void {
    const timer = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(kept), 1);
      session.quit();
    }, this.#options.idleMs);
    const kept = { session, timer };
    this.#idle.push(kept);
  }
}
