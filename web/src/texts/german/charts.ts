import type { Texts } from "../english/index.ts";
import { count, figure } from "./count.ts";

const emails = (number: number) => count(number, "E-Mail", "E-Mails");
const failures = (failed: number) => (failed === 0 ? "" : `, ${figure(failed)} gescheitert`);

export const charts: Texts["charts"] = {
  summary: (received, failed, days) => `${emails(received)} in den letzten ${days} Tagen${failures(failed)}`,
  chart: (received, failed, days) =>
    `E-Mails je Tag in den letzten ${days} Tagen: ${figure(received)} insgesamt${failures(failed)}`,
  day: (date, received, failed) => `${date}: ${emails(received)}${failures(failed)}`,
};
