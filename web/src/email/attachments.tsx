import { formatSize } from "../parts/size.ts";
import type { ShownEmail } from "./email-page.tsx";

export function Attachments({ attachments }: { attachments: NonNullable<ShownEmail["attachments"]> }) {
  return (
    <section aria-labelledby="attachments">
      <h2 id="attachments">Attachments</h2>
      <ul className="attachments">
        {attachments.map(({ filename, mime, sizeBytes, url }) => (
          <li key={url}>
            <a href={url} download={filename}>
              {filename}
            </a>{" "}
            <span className="hint">
              {mime}, {formatSize(sizeBytes)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
