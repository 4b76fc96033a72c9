import type { KeyObject } from "node:crypto";
import { signingThread } from "./signing-thread.ts";

export type SigningAlgorithm = "rsa-sha256" | "ed25519-sha256";

/** A private key and its selector. */
export class SigningKey {
  readonly selector: string;
  readonly algorithm: SigningAlgorithm;
  readonly #privateKey: KeyObject;

  constructor(selector: string, algorithm: SigningAlgorithm, privateKey: KeyObject) {
    this.selector = selector;
    this.algorithm = algorithm;
    this.#privateKey = privateKey;
  }

  /** @param input in latin1 @returns base64 @throws Outage where the signing thread has ended */
  sign(input: string): Promise<string> {
    return signingThread.sign(this.#privateKey, input);
  }
}
