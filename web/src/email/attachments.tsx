import { formatSize } from "../parts/size.ts";
import { useSpeech } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";

export function Attachments({ attachments }: { attachments: NonNullable<ShownEmail["attachments"]> }) {
  const {
    texts: { email },
    locale,
  } = useSpeech();
  return (
    <section aria-labelledby="attachments">
      <h2 id="attachments">{email.attachments}</h2>
      <ul className="attachments">
        {attachments.map(({ filename, mime, sizeBytes, url }) => (
          <li key={url}>
            <a href={url} download={filename}>
              {filename}
            </a>{" "}
            <span className="hint">{`${mime}, ${formatSize(sizeBytes, locale)}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
