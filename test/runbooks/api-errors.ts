import { ok } from "node:assert/strict";
import type { Exercise } from "./exercise.ts";

export const apiErrors: Exercise = {
  raise: ({ installation }) => installation.process("mailbox").kill(),
  async mend({ installation }, book) {
    const printed = await book.run("node services/admin.ts doctor");
    ok(printed.length > 0);
    book.does("mailbox is started");
    await installation.revive();
  },
};
