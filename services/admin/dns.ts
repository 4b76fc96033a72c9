import { forwarderContract } from "../forwarder/contract.ts";
import type { Command } from "./command.ts";
import { table } from "./table.ts";

export const dns: Command = {
  name: "dns",
  synopsis: "",
  sentence: "Prints the DNS records to publish for SERVICE_DOMAIN, and the MTA-STS policy to serve.",
  words: { min: 0, max: 0 },
  async run(installation) {
    const { records, mtaStsPolicy } = await (await installation.service(forwarderContract)).dnsRecords({});
    const rows = records.map(({ name, type, value }) => [
      `${name}.`,
      "IN",
      type,
      type === "TXT" ? characterStrings(value) : value,
    ]);
    const policy = mtaStsPolicy.text.trimEnd().split("\r\n");
    return { json: records, lines: [...table(rows), "", `${mtaStsPolicy.url} has to answer:`, ...policy] };
  },
};

/** A TXT value in strings of at most 255 octets (RFC 1035 section 3.3.14), as a zone file has it. */
function characterStrings(value: string): string {
  return (value.match(/.{1,255}/g) ?? [""]).map((part) => `"${part}"`).join(" ");
}
