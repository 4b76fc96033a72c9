import { render } from "../chart/support/helm.ts";

interface RuleGroup {
  name: string;
  rules: { alert?: string; expr: string; for?: string; [member: string]: unknown }[];
}

const seconds = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** The chart's own rules, every `for` and every range of an expression shorter by one factor, and nothing else changed. */
export async function scaledRules(factor: number): Promise<{ groups: RuleGroup[] }> {
  const objects = await render("everything-values.yaml", { monitoring: { rules: { enabled: true } } });
  const groups = objects
    .filter(({ kind }) => kind === "PrometheusRule")
    .flatMap(({ spec }) => (spec as { groups: RuleGroup[] }).groups);
  const scaled = (time: string) =>
    time.replace(
      /^(\d+)([smhd])$/,
      (_, count, unit) => `${(Number(count) * seconds[unit as keyof typeof seconds]) / factor}s`,
    );
  return {
    groups: groups.map(({ name, rules }) => ({
      name,
      rules: rules.map((rule) => ({
        ...rule,
        expr: rule.expr.replaceAll(/(?<=\[|offset )\d+[smhd]\b/g, scaled),
        ...(rule.for ? { for: scaled(rule.for) } : {}),
      })),
    })),
  };
}
