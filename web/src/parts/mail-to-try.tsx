import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../texts/texts.tsx";
import { CopyButton } from "./copy-button.tsx";

/** Ways to send an address its first mail: one's own mail program, or a command where the service runs on one's own machine. */
export function MailToTry({ proxyAddress }: { proxyAddress: string }) {
  const { tryIt: t } = useTexts();
  const { subject, body } = t;
  const smtpUrl = useSmtpUrl();
  const address = <strong className="address">{proxyAddress}</strong>;
  const link = `mailto:${proxyAddress}?${new URLSearchParams({ subject, body }).toString().replaceAll("+", "%20")}`;
  if (smtpUrl === undefined)
    return (
      <p>
        {t.write(address, (text) => (
          <a href={link}>{text}</a>
        ))}
      </p>
    );
  const headers = `From: Ann <ann@example.com>\\r\\nTo: ${proxyAddress}\\r\\nSubject: ${subject}\\r\\n\\r\\n${body}\\r\\n`;
  const command = `printf '${headers}' | curl -sS ${smtpUrl} --mail-from ann@example.com --mail-rcpt ${proxyAddress} -T -`;
  return (
    <>
      <p>{t.local(address)}</p>
      <div className="command">
        <pre>
          <code>{command}</code>
        </pre>
        <CopyButton text={command} what={t.theCommand} />
      </div>
    </>
  );
}

/** Where mail comes in, as `smtp://host:port`, if this service's domain exists on its own machine alone; otherwise undefined. */
function useSmtpUrl(): string | undefined {
  const { data } = useQuery({
    queryKey: ["smtp-url"],
    queryFn: async () => {
      const response = await fetch("/smtp.json");
      const { smtp } = (await response.json()) as { smtp: string | null };
      return smtp;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? undefined;
}
