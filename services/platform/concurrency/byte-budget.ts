/** Gives bytes back; to call it again does nothing. */
export type Release = () => void;

interface Wanted {
  readonly bytes: number;
  readonly owner: string;
  grant(release: Release): void;
}

/**
 * Bounds how much memory is held at once for all of some work, and for one owner's part of it. What there is no room for waits,
 * first come, first served; work of an owner whose share is used up lets others pass. What is larger than a limit has it to itself.
 */
export class ByteBudget {
  readonly #limitBytes: number;
  readonly #shareBytes: number;
  readonly #usedByOwner = new Map<string, number>();
  readonly #waiting: Wanted[] = [];
  #usedBytes = 0;

  constructor({ limitBytes, shareBytes }: { limitBytes: number; shareBytes: number }) {
    this.#limitBytes = limitBytes;
    this.#shareBytes = shareBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Takes bytes if they are free, and nobody has to be passed for them. */
  tryTake(bytes: number, owner: string): Release | undefined {
    let release: Release | undefined;
    const wanted = this.#want(bytes, owner, (given) => {
      release = given;
    });
    this.#withdraw(wanted);
    return release;
  }

  /** Waits for bytes. @returns undefined if they did not become free in time */
  async acquire(bytes: number, owner: string, patienceMs: number): Promise<Release | undefined> {
    const { promise, resolve } = Promise.withResolvers<Release | undefined>();
    const wanted = this.#want(bytes, owner, resolve);
    const timer = setTimeout(() => {
      this.#withdraw(wanted);
      resolve(undefined);
    }, patienceMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #want(bytes: number, owner: string, grant: (release: Release) => void): Wanted {
    const wanted = { bytes: Math.min(bytes, this.#limitBytes), owner, grant };
    this.#waiting.push(wanted);
    this.#grantWhatFits();
    return wanted;
  }

  #withdraw(wanted: Wanted): void {
    const at = this.#waiting.indexOf(wanted);
    if (at === -1) return;
    this.#waiting.splice(at, 1);
    this.#grantWhatFits();
  }

  #grantWhatFits(): void {
    for (let at = 0; at < this.#waiting.length; ) {
      const wanted = this.#waiting[at] as Wanted;
      const used = this.#usedByOwner.get(wanted.owner) ?? 0;
      if (used > 0 && used + wanted.bytes > this.#shareBytes) at += 1;
      else if (this.#usedBytes + wanted.bytes > this.#limitBytes) return;
      else {
        this.#waiting.splice(at, 1);
        wanted.grant(this.#use(wanted));
      }
    }
  }

  #use({ bytes, owner }: Wanted): Release {
    this.#add(owner, bytes);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#add(owner, -bytes);
      this.#grantWhatFits();
    };
  }

  #add(owner: string, bytes: number): void {
    this.#usedBytes += bytes;
    const used = (this.#usedByOwner.get(owner) ?? 0) + bytes;
    if (used > 0) this.#usedByOwner.set(owner, used);
    else this.#usedByOwner.delete(owner);
  }
}
