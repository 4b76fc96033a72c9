import { useMemo } from "react";
import { useSearchParams } from "wouter";
import type { FailureReason, Undelivered } from "../graph/gen/operations.ts";
import { useMail } from "../inbox/use-mail.ts";

const views: Readonly<Record<string, Undelivered[]>> = {
  any: ["FAILED", "RETRYING", "HELD"],
  failed: ["FAILED"],
  retrying: ["RETRYING"],
  held: ["HELD"],
};
/** As the URL names them. */
const reasons: Readonly<Record<string, FailureReason>> = {
  recipient: "RECIPIENT",
  mailbox: "MAILBOX",
  sender: "SENDER",
  content: "CONTENT",
  server: "SERVER",
  webhook: "WEBHOOK",
  other: "OTHER",
};
const hourMs = 3_600_000;
const periodsHours: Readonly<Record<string, number>> = { day: 24, week: 168, month: 720 };

/** What failed, as far as the URL narrows it down: by how far it is, by address, by why it failed, and by when it came. */
export function useFailures() {
  const [params, setParams] = useSearchParams();
  const view = knownOr("any", params.get("view"), views);
  const address = params.get("address") ?? "";
  const reason = knownOr("", params.get("reason"), reasons);
  const period = knownOr("", params.get("time"), periodsHours);
  // The same moment as long as the page is open: else every look would be another question.
  const since = useMemo(() => {
    const hours = periodsHours[period];
    return hours === undefined ? null : new Date(Date.now() - hours * hourMs).toISOString();
  }, [period]);
  const failureReason = reasons[reason];
  const filter = {
    undelivered: views[view] ?? [],
    bindingId: address === "" ? null : address,
    failureReasons: failureReason === undefined ? null : [failureReason],
    since,
  };
  const list = useMail("", filter);
  const narrow = (change: { view?: string; address?: string; reason?: string; time?: string }) => {
    const wanted = { view, address, reason, time: period, ...change };
    const said = Object.entries(wanted).filter(([, value]) => value !== "" && value !== "any");
    setParams(Object.fromEntries(said), { replace: true });
  };
  return { view, address, reason, period, isNarrowed: params.size > 0, narrow, filter, list };
}

function knownOr(otherwise: string, asked: string | null, known: object): string {
  return asked !== null && Object.hasOwn(known, asked) ? asked : otherwise;
}
