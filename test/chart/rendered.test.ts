import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { chart, lint, render, root, valuesFiles } from "./support/helm.ts";
import { faultsOf } from "./support/kubernetes-api.ts";
import { containersOf, podsOf, restrictedFaults } from "./support/pods.ts";

/** The first run on a machine builds Helm. */
const buildLimitMs = 10 * 60_000;

const devChart = join(root, "charts/postern-dev");

test.each(valuesFiles())(
  "%s: lint finds nothing, and the API takes every object",
  async (file) => {
    await lint(chart, join(chart, "ci", file));
    const objects = await render(file);
    expect(objects.length).toBeGreaterThan(5);
    expect(await faultsOf(objects)).toEqual([]);
  },
  buildLimitMs,
);

test.each(valuesFiles())(
  "%s: every pod fits the restricted profile, and writes nowhere but into scratch",
  async (file) => {
    const pods = podsOf(await render(file));
    expect(pods.flatMap(restrictedFaults)).toEqual([]);
    for (const { spec } of pods) {
      expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
      for (const container of containersOf(spec)) {
        expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true });
        expect(container).toHaveProperty("resources.limits.memory");
      }
    }
  },
);

test.each(valuesFiles())("%s: every object has a name of its own and says whose it is", async (file) => {
  const objects = await render(file);
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
  for (const { metadata } of objects) {
    expect(metadata.name.length).toBeLessThanOrEqual(63);
    expect(metadata.labels).toMatchObject({
      "app.kubernetes.io/instance": "mail",
      "app.kubernetes.io/part-of": "postern",
    });
  }
});

test("the chart of throw-away stores is taken as well", async () => {
  await lint(devChart);
  const objects = await render("default-values.yaml", {}, devChart);
  expect(await faultsOf(objects)).toEqual([]);
  expect(podsOf(objects).flatMap(restrictedFaults)).toEqual([]);
});

test("what the API would refuse is found: a field that nobody knows, a value out of its range, a kind that is none", async () => {
  const metadata = { name: "a" };
  const spec = { ports: [{ port: 80 }], sellector: {} };
  expect((await faultsOf([{ apiVersion: "v1", kind: "Service", metadata, spec }])).join()).toContain("sellector");
  const wrong = { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: "eighty" }] } };
  expect((await faultsOf([wrong])).join()).toMatch(/port/);
  expect((await faultsOf([{ apiVersion: "v1", kind: "Servise", metadata }])).join()).toContain("Servise");
});
