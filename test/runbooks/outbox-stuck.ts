import { match } from "node:assert/strict";
import type { Exercise } from "./exercise.ts";

export const outboxStuck: Exercise = {
  raise: ({ kafka }) => kafka.kill(),
  async mend({ kafka }, book) {
    match(await book.run("node dist/admin.js doctor"), /BAD +bus/);
    book.does("restore the brokers: Kafka is started");
    await kafka.start();
    await book.run("node dist/admin.js topics");
  },
};
