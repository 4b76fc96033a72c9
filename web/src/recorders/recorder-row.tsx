import { Link } from "wouter";
import type { RecordersQuery } from "../graph/gen/operations.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { DateTime } from "../parts/date-time.tsx";
import { useTexts } from "../texts/texts.tsx";

type Listed = NonNullable<RecordersQuery["recorders"]>[number];

export function RecorderRow({ recorder: { id, callUrl, createdAt, calls } }: { recorder: Listed }) {
  const { recorders: t } = useTexts();
  const last = calls?.[0];
  return (
    <li className="card recorder">
      <div className="card-head">
        <h2 className="address">
          <Link href={`/recorders/${id}`}>{id}</Link>
        </h2>
        <CopyButton text={callUrl} what={t.itsCallUrl} />
      </div>
      <p className="hint">
        {t.created(
          <DateTime at={createdAt} />,
          last ? t.lastCalled(last.method, <DateTime at={last.at} />) : t.notCalled,
        )}
      </p>
    </li>
  );
}
