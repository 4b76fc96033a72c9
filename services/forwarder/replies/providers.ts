/** The largest mailbox providers, by their domains and those of their exchangers: only these names appear in metrics. */
const domainsByProvider: Readonly<Record<string, readonly string[]>> = {
  gmail: ["gmail.com", "googlemail.com", "google.com"],
  outlook: [
    "outlook.com",
    "hotmail.com",
    "live.com",
    "msn.com",
    "outlook.de",
    "outlook.fr",
    "hotmail.fr",
    "hotmail.co.uk",
  ],
  yahoo: ["yahoo.com", "ymail.com", "rocketmail.com", "aol.com", "yahoo.co.uk", "yahoo.fr", "yahoo.de", "yahoodns.net"],
  icloud: ["icloud.com", "me.com", "mac.com"],
  gmx: ["gmx.net", "gmx.de", "gmx.com", "gmx.at", "gmx.ch", "web.de", "mail.com"],
  proton: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"],
  fastmail: ["fastmail.com", "fastmail.fm", "messagingengine.com"],
  zoho: ["zoho.com", "zoho.eu", "zohomail.com"],
  yandex: ["yandex.ru", "yandex.com", "ya.ru", "yandex.net"],
  mailru: ["mail.ru", "inbox.ru", "list.ru", "bk.ru"],
  qq: ["qq.com", "foxmail.com"],
  netease: ["163.com", "126.com", "yeah.net"],
  comcast: ["comcast.net"],
  att: ["att.net", "sbcglobal.net", "bellsouth.net"],
  orange: ["orange.fr", "wanadoo.fr"],
  laposte: ["laposte.net", "sfr.fr", "free.fr"],
  telekom: ["t-online.de", "magenta.de"],
  ionos: ["ionos.de", "1und1.de", "kundenserver.de"],
};

const providerByDomain = new Map(
  Object.entries(domainsByProvider).flatMap(([provider, domains]) => domains.map((domain) => [domain, provider])),
);

/**
 * The provider that answers for a domain, by the exchanger's name where one was reached, else by the domain; `other` where it is
 * none of these.
 * @param remote name and address of the server, as `SendResult` has them
 */
export function providerOf(domain: string, remote: string): string {
  const host = remote.replace(/\[.*$/, "").replace(/\.$/, "").toLowerCase();
  return providerOfName(host) ?? providerOfName(domain) ?? "other";
}

function providerOfName(name: string): string | undefined {
  const labels = name.split(".");
  const suffixes = labels.map((_, index) => labels.slice(index).join("."));
  return suffixes.map((suffix) => providerByDomain.get(suffix)).find((provider) => provider !== undefined);
}
