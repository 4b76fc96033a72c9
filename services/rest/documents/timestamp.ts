/** A service's time (ISO 8601, UTC, always of the form that toISOString gives) as the contract writes it: `YYYY-MM-DD HH:MM:SS`. */
export function timestamp(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}
