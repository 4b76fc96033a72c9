import { doesNotMatch, match } from "node:assert/strict";
import type { Exercise } from "./exercise.ts";
import { query } from "./query.ts";

/** What mailbox does with an email fails each time, as by a bug of a release. */
export const deadEvents: Exercise = {
  async raise(fixture) {
    await query(
      fixture,
      `create function public.fail_exercise() returns trigger language plpgsql as $$ begin raise exception 'a bug of the exercise'; end $$`,
    );
    await query(
      fixture,
      "create trigger fail_exercise before insert on mailbox.email for each row execute function public.fail_exercise()",
    );
  },
  async mend(fixture, book) {
    match(await book.run("node dist/admin.js dead list"), /a bug of the exercise/);
    book.does("fix the cause: the release without the bug");
    await query(fixture, "drop function public.fail_exercise() cascade");
    doesNotMatch(await book.run("node dist/admin.js dead resend --all"), /Asked for 0 /);
  },
};
