import type { KubernetesObject } from "./helm.ts";

interface Container {
  name: string;
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
  securityContext?: Record<string, unknown>;
  [member: string]: unknown;
}

interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  volumes?: Record<string, unknown>[];
  securityContext?: Record<string, unknown>;
  [member: string]: unknown;
}

/** The pods that an object makes, or is. */
export function podsOf(objects: readonly KubernetesObject[]): { name: string; spec: PodSpec }[] {
  return objects.flatMap((object) => {
    const name = `${object.kind} ${object.metadata.name}`;
    if (object.kind === "Pod") return [{ name, spec: object["spec"] as PodSpec }];
    const template = (object["spec"] as { template?: { spec: PodSpec } } | undefined)?.template;
    return template && ["Deployment", "StatefulSet", "DaemonSet", "Job"].includes(object.kind)
      ? [{ name, spec: template.spec }]
      : [];
  });
}

export const containersOf = (spec: PodSpec): Container[] => [...(spec.initContainers ?? []), ...spec.containers];

const hostMembers = ["hostNetwork", "hostPID", "hostIPC"];
const restrictedVolumes = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

/**
 * What the restricted profile of the pod security standards has against a pod, a line each
 * (https://kubernetes.io/docs/concepts/security/pod-security-standards/, of 1.30).
 */
export function restrictedFaults({ name, spec }: { name: string; spec: PodSpec }): string[] {
  const faults = hostMembers.filter((member) => spec[member]).map((member) => `${name}: ${member}`);
  for (const volume of spec.volumes ?? []) {
    const kinds = Object.keys(volume).filter((key) => key !== "name");
    if (!kinds.every((kind) => restrictedVolumes.includes(kind))) faults.push(`${name}: a volume by ${kinds}`);
  }
  for (const container of containersOf(spec)) {
    const context = { ...spec.securityContext, ...container.securityContext } as {
      runAsNonRoot?: boolean;
      runAsUser?: number;
      privileged?: boolean;
      allowPrivilegeEscalation?: boolean;
      seccompProfile?: { type: string };
      capabilities?: { drop?: string[]; add?: string[] };
    };
    const demands: Record<string, boolean> = {
      "may run as root": context.runAsNonRoot !== true || context.runAsUser === 0,
      "is privileged": context.privileged === true,
      "may gain privileges": context.allowPrivilegeEscalation !== false,
      "has no seccomp profile": !["RuntimeDefault", "Localhost"].includes(context.seccompProfile?.type ?? ""),
      "keeps capabilities": !context.capabilities?.drop?.includes("ALL") || (context.capabilities.add ?? []).length > 0,
      "has a port of the host": ((container["ports"] ?? []) as { hostPort?: number }[]).some((port) => port.hostPort),
    };
    for (const [fault, isSo] of Object.entries(demands)) if (isSo) faults.push(`${name}, ${container.name}: ${fault}`);
  }
  return faults;
}
