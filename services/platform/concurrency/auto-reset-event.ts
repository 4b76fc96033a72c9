/** Releases one waiter each time it is set; set while there is no waiter, it ends the next wait at once. */
export class AutoResetEvent {
  #isSet = false;
  #release: (() => void) | undefined;

  set(): void {
    this.#isSet = true;
    this.#release?.();
  }

  /** Returns once it is set, the time is over, or the signal is aborted, whichever is first. */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#isSet && !signal.aborted) {
      const released = Promise.withResolvers<void>();
      const timer = setTimeout(released.resolve, timeoutMs);
      this.#release = released.resolve;
      signal.addEventListener("abort", this.#release);
      await released.promise;
      clearTimeout(timer);
      signal.removeEventListener("abort", this.#release);
      this.#release = undefined;
    }
    this.#isSet = false;
  }
}
