import { ok } from "node:assert/strict";
import { freePorts } from "../../scripts/peers/free-ports.ts";
import { eventually } from "../support/eventually.ts";
import type { Exercise } from "./exercise.ts";
import { query } from "./query.ts";
import { restarted } from "./restarted.ts";

const patientS = Array.from({ length: 100 }, () => "3").join(",");

/** Outgoing connections are refused, and what waits is told to have come a day ago. */
export const deliveriesDelayed: Exercise = {
  async raise(fixture) {
    const [closed = 0] = await freePorts(1);
    await restarted(fixture, "forwarder", { OUTBOUND: `smtp://127.0.0.1:${closed}`, FORWARD_RETRY_S: patientS });
    await eventually(async () => {
      const some = "select id from forwarder.delivery where state = 'waiting' limit 5";
      const past = "set received_at = now() - interval '25 hours'";
      const aged = await query(fixture, `update forwarder.delivery ${past} where id in (${some})`);
      ok(aged > 0);
    });
  },
  async mend(fixture, book) {
    await book.run("node dist/admin.js dns");
    book.does("outgoing connections are allowed again");
    await restarted(fixture, "forwarder", { OUTBOUND: fixture.sink.url, FORWARD_RETRY_S: "1,1,1,1,1,1,1,1" });
  },
};
