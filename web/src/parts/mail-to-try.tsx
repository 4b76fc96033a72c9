import { CopyButton } from "./copy-button.tsx";
import { useSmtpUrl } from "./use-smtp-url.ts";

const subject = "Is anybody there?";
const body = "A first mail through Postern.";

/** Ways to send an address its first mail: one's own mail program, or a command where the service runs on one's own machine. */
export function MailToTry({ proxyAddress }: { proxyAddress: string }) {
  const smtpUrl = useSmtpUrl();
  const link = `mailto:${proxyAddress}?${new URLSearchParams({ subject, body }).toString().replaceAll("+", "%20")}`;
  if (smtpUrl === undefined)
    return (
      <p>
        Write to <strong className="address">{proxyAddress}</strong> from any mail program:{" "}
        <a href={link}>open yours with a mail to try</a>. It appears here within seconds.
      </p>
    );
  const headers = `From: Ann <ann@example.com>\\r\\nTo: ${proxyAddress}\\r\\nSubject: ${subject}\\r\\n\\r\\n${body}\\r\\n`;
  const command = `printf '${headers}' | curl -sS ${smtpUrl} --mail-from ann@example.com --mail-rcpt ${proxyAddress} -T -`;
  return (
    <>
      <p>
        This service runs on a domain of your own machine, so mail from elsewhere does not find it. This command sends{" "}
        <strong className="address">{proxyAddress}</strong> a mail to try; it appears here within a second.
      </p>
      <div className="command">
        <pre>
          <code>{command}</code>
        </pre>
        <CopyButton text={command} what="the command" />
      </div>
    </>
  );
}
