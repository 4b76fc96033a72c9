import type { ShownDomainFragment } from "../graph/gen/operations.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { DateTime } from "../parts/date-time.tsx";
import { useTexts } from "../texts/texts.tsx";

type DnsRecord = ShownDomainFragment["records"][number];

const looks: Readonly<Record<string, string>> = {
  ok: "state-good",
  missing: "state-bad",
  wrong: "state-bad",
  advised: "state-waiting",
  warning: "state-waiting",
};

/** A DNS record as it is entered at a registrar: most take the name without the domain. */
export function RecordRow({ record, domain }: { record: DnsRecord; domain: string }) {
  const { domains: t } = useTexts();
  const { name, type, expected, found, verdict, keyStage, keepUntil } = record;
  const host = name === domain ? "@" : name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name;
  return (
    <li className="card dns-record">
      <div className="card-head">
        <h3>{`${type} ${host}`}</h3>
        <span className={`state ${looks[verdict] ?? ""}`}>{t.verdicts[verdict] ?? verdict}</span>
      </div>
      {keyStage === "next" && <p className="hint">{t.nextKey}</p>}
      {keyStage === "former" && <p className="hint">{t.formerKey(keepUntil && <DateTime at={keepUntil} />)}</p>}
      <dl className="envelope">
        <dt>{t.host}</dt>
        <dd className="secret">
          <code className="address">{host}</code>
          <CopyButton text={host} what={t.hostOfRecord(type)} />
        </dd>
        {expected !== "" && (
          <>
            <dt>{t.expected}</dt>
            <dd className="secret">
              <code className="address">{expected}</code>
              <CopyButton text={expected} what={t.valueOfRecord(type)} />
            </dd>
          </>
        )}
        <dt>{t.found}</dt>
        <dd className="address">{found === "" ? t.nothing : found}</dd>
      </dl>
    </li>
  );
}
