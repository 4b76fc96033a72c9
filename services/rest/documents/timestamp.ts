/** An ISO 8601 time as the contract writes it: `YYYY-MM-DD HH:MM:SS`, UTC. */
export function timestamp(iso: string): string {
  return new Date(iso).toISOString().slice(0, 19).replace("T", " ");
}
