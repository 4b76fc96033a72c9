import type { Exercise } from "./exercise.ts";

export const mailDeferred: Exercise = {
  raise: ({ installation }) => installation.process("bindings").kill(),
  async mend({ installation }, book) {
    book.does("restore the dependency: bindings is started");
    await installation.revive();
  },
};
