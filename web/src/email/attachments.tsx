import { File, FileText, Image } from "lucide-react";
import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { toast } from "../parts/toasts.tsx";
import { useSpeech } from "../texts/texts.tsx";
import { shortTypeOf } from "./attachment-type.ts";
import type { ShownEmail } from "./email-page.tsx";
import { openPdf } from "./open-pdf.ts";

type Attachment = NonNullable<ShownEmail["attachments"]>[number];

/**
 * Media types that are shown as a picture. SVG is not among them: it is a document. Whatever the bytes are, the browser reads them as a picture
 * or not at all, and the server sends nothing else under these types (rest/received-emails/download-attachment).
 */
const shownTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Larger ones are looked at once they are downloaded. */
const largestShownBytes = 5_000_000;

/** A tile for each: what it looks like, its name, and how large it is. Each is downloaded, and none is opened in this page. */
export function Attachments({ attachments }: { attachments: readonly Attachment[] }) {
  const {
    texts: { email },
  } = useSpeech();
  return (
    <section aria-labelledby="attachments">
      <h2 id="attachments">{email.attachments}</h2>
      <ul className="attachments">
        {attachments.map((attachment) => (
          <li key={attachment.url} className="attachment">
            <Tile attachment={attachment} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** PDF is opened in the browser's own viewer; see ARCHITECTURE.md for why it is not drawn here. */
const pdfType = "application/pdf";
const largestOpenedBytes = 50_000_000;

function Tile({ attachment }: { attachment: Attachment }) {
  const { locale, texts } = useSpeech();
  const { filename, mime, sizeBytes, url } = attachment;
  return (
    <>
      {mime.toLowerCase() === pdfType ? <PdfPreview attachment={attachment} /> : <Preview attachment={attachment} />}
      <a className="attachment-name" href={url} download={filename} title={filename} dir="auto">
        {filename}
      </a>
      <span className="hint" title={mime}>
        {`${shortTypeOf(filename, mime) ?? texts.email.file}, ${formatSize(sizeBytes, locale)}`}
      </span>
    </>
  );
}

/** The picture itself, or a sign of what it is: also for what calls itself a picture and is none. */
function Preview({ attachment: { mime, sizeBytes, url } }: { attachment: Attachment }) {
  const [isBroken, setIsBroken] = useState(false);
  const type = mime.toLowerCase();
  const isShown = shownTypes.has(type) && sizeBytes <= largestShownBytes && !isBroken;
  const Icon = type.startsWith("image/") ? Image : type === pdfType || type.startsWith("text/") ? FileText : File;
  return (
    <span className="attachment-preview">
      {isShown ? (
        <img src={pathOf(url)} alt="" loading="lazy" onError={() => setIsBroken(true)} />
      ) : (
        <Icon className="attachment-icon" aria-hidden="true" />
      )}
    </span>
  );
}

/** A sign of what it is, which opens it in a page of its own. */
function PdfPreview({ attachment }: { attachment: Attachment }) {
  const { filename, sizeBytes, url } = attachment;
  const {
    texts: { email },
  } = useSpeech();
  const [isPending, setIsPending] = useState(false);
  const open = async () => {
    setIsPending(true);
    const isShown = await openPdf(pathOf(url)).catch(() => false);
    setIsPending(false);
    if (!isShown) toast(email.noPreview(filename), "bad");
  };
  if (sizeBytes > largestOpenedBytes) return <Preview attachment={attachment} />;
  return (
    <Button className="attachment-preview" onClick={open} isPending={isPending} aria-label={email.preview(filename)}>
      <FileText className="attachment-icon" aria-hidden="true" />
      <span>{email.previewPdf}</span>
    </Button>
  );
}

/** Of this origin, whatever name of the service the link has. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}

const sizeUnits = ["byte", "kilobyte", "megabyte", "gigabyte"];

/** A size in bytes as people read it. */
function formatSize(sizeBytes: number, locale: string): string {
  const step = sizeBytes === 0 ? 0 : Math.min(Math.floor(Math.log10(sizeBytes) / 3), sizeUnits.length - 1);
  const unitDisplay = step === 0 ? "long" : "short";
  const format = { style: "unit", unit: sizeUnits[step] ?? "byte", unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, format).format(sizeBytes / 1_000 ** step);
}
