import { match, ok } from "node:assert/strict";
import type { Exercise } from "./exercise.ts";

export const apiErrors: Exercise = {
  raise: ({ installation }) => installation.process("mailbox").kill(),
  async mend({ installation }, book) {
    const printed = await book.run("node dist/admin.js doctor");
    ok(printed.length > 0);
    match(await book.run("npm run admin -- doctor"), /database of mailbox/);
    const ready = "http://127.0.0.1:8080/readyz";
    match(await book.run(`curl -s ${ready}`, { [ready]: `${installation.url}/readyz` }), /"status"/);
    book.does("mailbox is started");
    await installation.revive();
  },
};
