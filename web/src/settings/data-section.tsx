import { useAccount } from "../session/account.tsx";
import { Section } from "./section.tsx";

export function DataSection() {
  const { storage } = useAccount();
  return (
    <Section
      title="Your data"
      lead="Everything that is kept of you: addresses, mail, deliveries, recorders; one JSON file."
    >
      {storage && <p>{storageInWords(storage)}</p>}
      <div>
        <a className="button button-plain" href="/export" download>
          Download it
        </a>
      </div>
    </Section>
  );
}

function storageInWords({ usedMb, limitMb }: { usedMb: number; limitMb: number | null }): string {
  const used = `${usedMb.toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
  if (limitMb === null) return `Mail kept to read: ${used}.`;
  const kept = `Mail kept to read: ${used} of ${limitMb.toLocaleString("en")} MB.`;
  return usedMb <= limitMb ? kept : `${kept} New mail is not kept until you delete some.`;
}
