import { Link } from "wouter";
import type { RecordersQuery } from "../graph/gen/operations.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Moment } from "../parts/moment.tsx";

type Listed = NonNullable<RecordersQuery["recorders"]>[number];

export function RecorderRow({ recorder: { id, callUrl, createdAt, calls } }: { recorder: Listed }) {
  const last = calls?.[0];
  return (
    <li className="card recorder">
      <div className="binding-head">
        <h2 className="address">
          <Link href={`/recorders/${id}`}>{id}</Link>
        </h2>
        <CopyButton text={callUrl} what="its call URL" />
      </div>
      <p className="hint">
        Made <Moment at={createdAt} />
        {last ? (
          <>
            ; last called by {last.method} <Moment at={last.at} />
          </>
        ) : (
          "; not called yet"
        )}
      </p>
    </li>
  );
}
