import type { SmtpClientSession } from "./session.ts";
import { SmtpFailure } from "./smtp-failure.ts";

interface PoolOptions {
  open(): Promise<SmtpClientSession>;
  /** Sessions at once. */
  maxSessions: number;
  /** How long an idle session is kept open, in milliseconds. */
  idleMs: number;
  /** Messages over one session; then it is replaced. */
  maxMessages: number;
}

interface Waiter {
  resolve(session: SmtpClientSession): void;
  reject(error: unknown): void;
}

/** After a server refused one more session, no other is opened for so long. */
const refusedPauseMs = 10_000;

/** Sessions with one destination, kept open and used for one message at a time; the one used last is used first (LIFO). */
export class SessionPool {
  readonly #options: PoolOptions;
  readonly #idle: { session: SmtpClientSession; timer: NodeJS.Timeout }[] = [];
  readonly #waiters: Waiter[] = [];
  #inUse = 0;
  #opening = 0;
  #refusedUntilMs = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Sessions that carry a message now. */
  get busyCount(): number {
    return this.#inUse;
  }

  get isEmpty(): boolean {
    return this.#inUse + this.#opening + this.#idle.length + this.#waiters.length === 0;
  }

  /** Calls `run` with a session. @throws SmtpFailure when none is available; else any error of `run` */
  async use<T>(run: (session: SmtpClientSession) => Promise<T>): Promise<T> {
    const session = await this.#acquire();
    try {
      return await run(session);
    } finally {
      this.#release(session);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { session, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      session.quit();
    }
  }

  async #acquire(): Promise<SmtpClientSession> {
    for (let kept = this.#idle.pop(); kept; kept = this.#idle.pop()) {
      clearTimeout(kept.timer);
      if (!kept.session.isUsable) continue;
      this.#inUse += 1;
      return kept.session;
    }
    const isAtLimit = this.#inUse + this.#opening >= this.#options.maxSessions;
    const isRefused = this.#inUse > 0 && performance.now() < this.#refusedUntilMs;
    return isAtLimit || isRefused ? this.#wait() : this.#openSession();
  }

  async #openSession(): Promise<SmtpClientSession> {
    this.#opening += 1;
    try {
      const session = await this.#options.open();
      this.#inUse += 1;
      return session;
    } catch (error) {
      this.#refusedUntilMs = performance.now() + refusedPauseMs;
      const hasOthers = this.#inUse + this.#opening > 1;
      // With others open, the server has reached its limit: this message waits for one of them.
      if (hasOthers && error instanceof SmtpFailure) return this.#wait();
      if (!hasOthers) for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
      throw error;
    } finally {
      this.#opening -= 1;
    }
  }

  #wait(): Promise<SmtpClientSession> {
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  #release(session: SmtpClientSession): void {
    this.#inUse -= 1;
    const isSpent = session.messageCount >= this.#options.maxMessages;
    if (session.isUsable && (isSpent || this.#isClosed)) session.quit();
    const waiter = this.#waiters.shift();
    if (waiter && session.isUsable) {
      this.#inUse += 1;
      waiter.resolve(session);
    } else if (waiter) {
      this.#openSession().then(
        (fresh) => waiter.resolve(fresh),
        (error) => waiter.reject(error),
      );
    } else if (session.isUsable) {
      this.#keep(session);
    }
  }

  #keep(session: SmtpClientSession): void {
    const timer = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(kept), 1);
      session.quit();
    }, this.#options.idleMs);
    const kept = { session, timer };
    this.#idle.push(kept);
  }
}
