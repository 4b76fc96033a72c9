import { type KubernetesObject, render } from "../chart/support/helm.ts";

/** Groups that an API server knows by itself. */
const ownGroups = /^(v1|(apps|batch|autoscaling|policy|(networking|rbac\.authorization|scheduling)\.k8s\.io)\/.*)$/;

/**
 * Definitions of the kinds that the chart makes for other operators (cert-manager, KEDA, Prometheus, the Gateway API), with any
 * content: whether that is right test/chart tells, by their real schemas.
 */
export async function customResourceDefinitions(): Promise<KubernetesObject[]> {
  const objects = await render("everything-values.yaml");
  const foreign = objects.filter(({ apiVersion }) => !ownGroups.test(apiVersion));
  const kinds = new Map(foreign.map(({ apiVersion, kind }) => [kind, apiVersion]));
  return [...kinds].map(([kind, apiVersion]) => definition(kind, apiVersion));
}

function definition(kind: string, apiVersion: string): KubernetesObject {
  const [group = "", version = ""] = apiVersion.split("/");
  const plural = `${kind.toLowerCase()}s`;
  const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      // Kubernetes wants it said for groups of its own community.
      annotations: { "api-approved.kubernetes.io": "unapproved, for a test" },
    },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: anything } }],
    },
  };
}
