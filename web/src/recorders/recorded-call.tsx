import type { RecorderQuery } from "../graph/gen/operations.ts";
import { DateTime } from "../parts/date-time.tsx";
import { readableBody } from "../parts/readable-body.ts";
import { Scroller } from "../parts/scroller.tsx";
import { useTexts } from "../texts/texts.tsx";

type Call = NonNullable<NonNullable<RecorderQuery["recorder"]>["calls"]>[number];

/** @param place which of the calls that are shown */
export function RecordedCall({ call: { method, body, isTruncated, at }, place }: { call: Call; place: number }) {
  const { recorders: t } = useTexts();
  return (
    <li className="card call">
      <p>
        <span className="badge">{method}</span> <DateTime at={at} isPrecise />
      </p>
      {body ? (
        <Scroller name={t.bodyOf(place)} isShort>
          <pre>{readableBody(body)}</pre>
        </Scroller>
      ) : (
        <p className="hint">{t.noBody}</p>
      )}
      {isTruncated && <p className="hint">{t.bodyCut}</p>}
    </li>
  );
}
