import type { Exercise } from "./exercise.ts";

export const forwardingStopped: Exercise = {
  raise: ({ installation }) => installation.process("forwarder").kill(),
  async mend({ installation }, book) {
    book.does("bring forwarder back: it is started");
    await installation.revive();
  },
};
