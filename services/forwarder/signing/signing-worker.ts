import { parentPort } from "node:worker_threads";
import { messageOf } from "../../platform/errors.ts";
import { signMessage, type UnsignedMessage } from "./sign-message.ts";
import type { SignedMessage } from "./signing-thread.ts";

// The entry of the signing thread: see signing-thread.ts.

parentPort?.on("message", (batch: readonly UnsignedMessage[]) => {
  const signed = batch.map((message): SignedMessage => {
    try {
      return { signatures: signMessage(message) };
    } catch (error) {
      // The others of the batch may have other keys.
      return { failed: messageOf(error) };
    }
  });
  parentPort?.postMessage(signed);
});
