import { useMemo } from "react";
import { useSearchParams } from "wouter";
import type { Undelivered } from "../graph/gen/operations.ts";
import { useMail } from "../inbox/use-mail.ts";

const views: Readonly<Record<string, Undelivered[]>> = {
  any: ["FAILED", "RETRYING", "HELD"],
  failed: ["FAILED"],
  retrying: ["RETRYING"],
  held: ["HELD"],
};
const hourMs = 3_600_000;
const periodsHours: Readonly<Record<string, number>> = { day: 24, week: 168, month: 720 };

/** What failed, as far as the URL narrows it down: by how far it is, by address, and by when it came. */
export function useFailures() {
  const [params, setParams] = useSearchParams();
  const view = knownOr("any", params.get("view"), views);
  const address = params.get("address") ?? "";
  const period = knownOr("", params.get("time"), periodsHours);
  // The same moment as long as the page is open: else every look would be another question.
  const since = useMemo(() => {
    const hours = periodsHours[period];
    return hours === undefined ? null : new Date(Date.now() - hours * hourMs).toISOString();
  }, [period]);
  const list = useMail("", { undelivered: views[view] ?? [], bindingId: address === "" ? null : address, since });
  const narrow = (change: { view?: string; address?: string; time?: string }) => {
    const wanted = { view, address, time: period, ...change };
    const said = Object.entries(wanted).filter(([, value]) => value !== "" && value !== "any");
    setParams(Object.fromEntries(said), { replace: true });
  };
  return { view, address, period, isNarrowed: params.size > 0, narrow, list };
}

function knownOr(otherwise: string, asked: string | null, known: object): string {
  return asked !== null && Object.hasOwn(known, asked) ? asked : otherwise;
}
