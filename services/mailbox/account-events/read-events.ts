import type { z } from "zod";
import type { Database, Transaction } from "../../platform/db/types.ts";
import { invalidField, Refusal } from "../../platform/errors.ts";
import type { AccountEvent, accountEventProcedures } from "./contract.ts";

type Question = z.output<typeof accountEventProcedures.events.input>;
type Event = z.output<typeof AccountEvent>;

interface Reader {
  id: string;
  lastPosition: number;
  deletedPosition: number;
}

interface EventRow extends Omit<Event, "cursor" | "at" | "address" | "outcome"> {
  position: number;
  at: Date;
  data: { address?: string; outcome?: string };
}

/** New events that are given their positions in one transaction. */
const numberingBatchSize = 5_000;

/**
 * The next events of an account. Positions are given here, under a lock of the account: so an event that is committed after a reader has
 * passed its time is still to come for it.
 * @throws Refusal ValidationFailed for a cursor that is none of the account's; Gone where events after it were deleted
 */
export async function readEvents(db: Database, { ownerId, after, first }: Question): Promise<Event[]> {
  return db.tx(async (tx) => {
    const reader = await lockReader(tx, ownerId);
    const lastPosition = reader.lastPosition + (await giveMorePositions(tx, ownerId, reader.lastPosition));
    const position = after === undefined ? 0 : positionOf(after, { ...reader, lastPosition });
    const { rows } = await tx.query<EventRow>(
      `select id, kind, at, binding_id, email_id, data, position from account_event
        where owner_id = $1 and position > $2 order by position limit $3`,
      [ownerId, position, first],
    );
    return rows.map(({ position: at, data, ...row }) => ({
      cursor: Buffer.from(`${reader.id} ${at}`).toString("base64url"),
      ...row,
      at: row.at.toISOString(),
      address: data.address ?? null,
      outcome: data.outcome ?? null,
    }));
  });
}

async function lockReader(tx: Transaction, ownerId: string): Promise<Reader> {
  const columns = "id, last_position, deleted_position";
  const known = await tx.query<Reader>(`select ${columns} from event_reader where owner_id = $1 for update`, [ownerId]);
  if (known.rows[0]) return known.rows[0];
  const { rows } = await tx.query<Reader>(
    `insert into event_reader (owner_id) values ($1)
     on conflict (owner_id) do update set owner_id = excluded.owner_id returning ${columns}`,
    [ownerId],
  );
  if (!rows[0]) throw new Error("no reader was locked");
  return rows[0];
}

async function giveMorePositions(tx: Transaction, ownerId: string, last: number): Promise<number> {
  const { rowCount } = await tx.query(
    `with new as (
       select id, row_number() over (order by at, id) as number
         from (select id, at from account_event where owner_id = $1 and position is null order by at, id limit $3) as oldest)
     update account_event set position = $2 + number from new where account_event.id = new.id`,
    [ownerId, last, numberingBatchSize],
  );
  if (rowCount > 0)
    await tx.query("update event_reader set last_position = last_position + $2 where owner_id = $1", [
      ownerId,
      rowCount,
    ]);
  return rowCount;
}

function positionOf(cursor: string, { id, lastPosition, deletedPosition }: Reader): number {
  const [reader = "", position = ""] = Buffer.from(cursor, "base64url").toString().split(" ");
  if (reader !== id || !/^\d{1,15}$/.test(position) || Number(position) > lastPosition)
    throw invalidField("after", "is no cursor of a former event.");
  if (Number(position) < deletedPosition)
    throw new Refusal("Gone", { public: "Events after this cursor are no longer kept: begin without one." });
  return Number(position);
}
