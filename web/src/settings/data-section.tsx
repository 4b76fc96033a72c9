import { Link } from "wouter";
import { useAccount } from "../session/account.tsx";
import { type Speech, useSpeech, useTexts } from "../texts/texts.tsx";
import { Section } from "./section.tsx";

/** The way to addresses of another service. */
export function ImportSection() {
  const { imports: t } = useTexts();
  return (
    <Section title={t.section} lead={t.sectionLead}>
      <div>
        <Link className="button button-plain" href="/import">
          {t.open}
        </Link>
      </div>
    </Section>
  );
}

export function DataSection() {
  const speech = useSpeech();
  const t = speech.texts.settings;
  const { storage } = useAccount();
  return (
    <Section title={t.data} lead={t.dataLead}>
      {storage && <p>{storageInWords(storage, speech)}</p>}
      <div>
        <a className="button button-plain" href="/export" download>
          {t.download}
        </a>
      </div>
    </Section>
  );
}

interface Storage {
  usedMb: number;
  limitMb: number | null;
}

function storageInWords({ usedMb, limitMb }: Storage, { texts: { settings: t }, locale }: Speech): string {
  const megabytes = new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 });
  const used = usedMb > 0 && usedMb < 0.1 ? t.lessThan(megabytes.format(0.1)) : megabytes.format(usedMb);
  if (limitMb === null) return t.storage(used);
  return t.storageOf(used, megabytes.format(limitMb)) + (usedMb <= limitMb ? "" : t.storageFull);
}
