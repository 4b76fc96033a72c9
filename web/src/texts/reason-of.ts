/**
 * Says a sentence of the server in other words.
 * @param reasons by what the server says, where "{}" stands for what differs from case to case
 * @returns undefined where there are no other words for it
 */
export function reasonTeller(reasons: Readonly<Record<string, string>>): (said: string) => string | undefined {
  const patterns = Object.entries(reasons).map(([said, own]) => {
    const pattern = said.replaceAll(/[.?()]/g, "\\$&").replaceAll("{}", "(.+)");
    return { pattern: new RegExp(`^${pattern}$`, "i"), own };
  });
  return (said) => {
    for (const { pattern, own } of patterns) {
      const values = pattern.exec(said)?.slice(1);
      if (values) return own.replaceAll("{}", () => values.shift() ?? "");
    }
    return undefined;
  };
}
