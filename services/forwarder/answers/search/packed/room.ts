/** What is unpacked of one attachment, and of all that a message has. */
const [attachmentBytes, messageBytes] = [4 * 1024 * 1024, 32 * 1024 * 1024];
const attachmentEntries = 2_000;

/** How much may still be unpacked: what is packed in what is packed has no room of its own. */
export class Room {
  #left = attachmentBytes;
  #leftInMessage = messageBytes;
  #entriesLeft = attachmentEntries;

  /** Another attachment of the same message. */
  beginAttachment(): void {
    this.#left = Math.min(attachmentBytes, this.#leftInMessage);
    this.#entriesLeft = attachmentEntries;
  }

  get bytes(): number {
    return this.#left;
  }

  take(bytes: number): void {
    this.#left = Math.max(0, this.#left - bytes);
    this.#leftInMessage = Math.max(0, this.#leftInMessage - bytes);
  }

  /** False where there were too many. */
  takeEntry(): boolean {
    this.#entriesLeft -= 1;
    return this.#entriesLeft >= 0;
  }
}
