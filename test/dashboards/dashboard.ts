import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Range, Series } from "../support/peers/prometheus-process.ts";

const folder = join(import.meta.dirname, "../../charts/postern/files/dashboards");
/** As `startPrometheus` labels what it scrapes. */
const namespace = "fleet";

/** What of Grafana's JSON model is drawn. */
interface Dashboard {
  /** Of the file, without .json. */
  name: string;
  title: string;
  panels: Panel[];
}

interface Panel {
  title: string;
  type: string;
  /** In a grid of 24 columns. */
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig: { defaults: { unit: string; min?: number } };
  targets: { refId: string; expr: string; legendFormat: string }[];
}

interface Line {
  label: string;
  /** At the dashboard's times; null where there is none. */
  values: (number | null)[];
}

export interface DrawnDashboard {
  name: string;
  title: string;
  caption: string;
  /** Seconds since 1970, the same for all panels. */
  timesS: number[];
  panels: (Pick<Panel, "title" | "gridPos"> & { unit: string; lines: Line[] })[];
  /** What keeps a panel from being what it should. */
  complaints: string[];
}

/** The chart's dashboards. */
export function dashboards(): Dashboard[] {
  return globSync("*.json", { cwd: folder })
    .sort()
    .map((file) => ({ ...JSON.parse(readFileSync(join(folder, file), "utf8")), name: basename(file, ".json") }));
}

/** Asks every query of a dashboard as Grafana would. A query without data, or a panel that shows nothing but zeros, is complained of. */
export async function drawnFrom(
  { name, title, panels }: Dashboard,
  { fromS, toS, stepS }: Range,
  ask: (query: string) => Promise<Series[]>,
): Promise<Omit<DrawnDashboard, "caption">> {
  const complaints: string[] = [];
  const timesS = Array.from({ length: Math.floor((toS - fromS) / stepS) + 1 }, (_, at) => fromS + at * stepS);
  const drawn: DrawnDashboard["panels"] = [];
  for (const panel of panels) {
    const complain = (what: string) => complaints.push(`${panel.title}: ${what}`);
    if (panel.type !== "timeseries") complain(`a panel of type ${panel.type} cannot be drawn`);
    const answers: { legendFormat: string; series: Series[] }[] = [];
    for (const { refId, expr, legendFormat } of panel.targets) {
      const query = expr.replaceAll("$namespace", namespace);
      const series = await ask(query).catch((error: Error) => void complain(error.message));
      if (series && !series.some((each) => numbersOf(each).length > 0))
        complain(`query ${refId} has no data: ${query}`);
      answers.push({ legendFormat, series: series ?? [] });
    }
    const all = answers.flatMap(({ series }) => series);
    if (!all.some((each) => numbersOf(each).some((value) => value !== 0))) complain("shows nothing but zeros");
    const lines = answers.flatMap(({ legendFormat, series }) =>
      series.map((each) => ({ label: labelOf(each, legendFormat), values: valuesAt(timesS, each) })),
    );
    drawn.push({ title: panel.title, gridPos: panel.gridPos, unit: panel.fieldConfig.defaults.unit, lines });
  }
  return { name, title, timesS, panels: drawn, complaints };
}

function labelOf({ metric }: Series, format: string): string {
  return format.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, label) => metric[label] ?? "");
}

/** A quantile of nothing is NaN, which Grafana leaves out too. */
function numbersOf({ values }: Series): number[] {
  return values.map(([, value]) => Number(value)).filter(Number.isFinite);
}

function valuesAt(timesS: readonly number[], { values }: Series): (number | null)[] {
  const byTime = new Map(values.map(([timeS, value]) => [timeS, Number(value)]));
  return timesS.map((timeS) => {
    const value = byTime.get(timeS);
    return value !== undefined && Number.isFinite(value) ? value : null;
  });
}
