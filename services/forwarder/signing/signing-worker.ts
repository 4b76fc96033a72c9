import { parentPort } from "node:worker_threads";
import { messageOf } from "../../platform/errors.ts";
import { type SigningTask, signMessage } from "./sign-message.ts";
import type { SigningResult } from "./signing-thread.ts";

// The entry of the signing thread: see signing-thread.ts.

parentPort?.on("message", (batch: readonly SigningTask[]) => {
  const signed = batch.map((task): SigningResult => {
    try {
      return { signatures: signMessage(task) };
    } catch (error) {
      // The others of the batch may have other keys.
      return { failed: messageOf(error) };
    }
  });
  parentPort?.postMessage(signed);
});
