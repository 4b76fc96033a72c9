const units = ["byte", "kilobyte", "megabyte", "gigabyte"];

/** A size in bytes as people read it. */
export function formatSize(sizeBytes: number, locale: string): string {
  const step = sizeBytes === 0 ? 0 : Math.min(Math.floor(Math.log10(sizeBytes) / 3), units.length - 1);
  const unitDisplay = step === 0 ? "long" : "short";
  const format = { style: "unit", unit: units[step] ?? "byte", unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, format).format(sizeBytes / 1_000 ** step);
}
