import { count, figure } from "./count.ts";

const emails = (number: number) => count(number, "email", "emails");
const failures = (failed: number) => (failed === 0 ? "" : `, ${figure(failed)} failed`);

export const charts = {
  summary: (received: number, failed: number, days: number): string =>
    `${emails(received)} in the last ${days} days${failures(failed)}`,
  chart: (received: number, failed: number, days: number): string =>
    `Email a day over the last ${days} days: ${figure(received)} in all${failures(failed)}`,
  day: (date: string, received: number, failed: number): string => `${date}: ${emails(received)}${failures(failed)}`,
};
