import { dnsAddress } from "./network.ts";

export const dnsImage = "postern.local/coredns:1";

const namespace = "kube-system";
const name = "coredns";
const labels = { "k8s-app": "kube-dns" };
const rbac = "rbac.authorization.k8s.io";

const corefile = `.:53 {
  errors
  health :8080
  ready :8181
  kubernetes cluster.local in-addr.arpa
  forward . /etc/resolv.conf
  cache 10
  reload
}
`;

const container = {
  name,
  image: dnsImage,
  imagePullPolicy: "Never",
  args: ["-conf", "/etc/coredns/Corefile"],
  ports: [
    { name: "dns", containerPort: 53, protocol: "UDP" },
    { name: "dns-tcp", containerPort: 53 },
  ],
  readinessProbe: { httpGet: { path: "/ready", port: 8181 }, periodSeconds: 2 },
  resources: { requests: { cpu: "50m", memory: "32Mi" }, limits: { memory: "170Mi" } },
  securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsUser: 10001 },
  volumeMounts: [{ name: "configuration", mountPath: "/etc/coredns" }],
};

/** Names of services and pods, by CoreDNS: what every cluster has under kube-system. */
export const clusterDns: readonly object[] = [
  { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } },
  {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRole",
    metadata: { name },
    rules: [
      { apiGroups: [""], resources: ["endpoints", "services", "pods", "namespaces"], verbs: ["list", "watch"] },
      { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list", "watch"] },
    ],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name },
    subjects: [{ kind: "ServiceAccount", name, namespace }],
  },
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { Corefile: corefile } },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels },
    spec: {
      // One for each node, so that names are known while a node is drained.
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          priorityClassName: "system-cluster-critical",
          // Policies name the port that names are asked at everywhere.
          securityContext: { sysctls: [{ name: "net.ipv4.ip_unprivileged_port_start", value: "0" }] },
          // The machine's name servers, not itself.
          dnsPolicy: "Default",
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: "kubernetes.io/hostname",
              whenUnsatisfiable: "ScheduleAnyway",
              labelSelector: { matchLabels: labels },
            },
          ],
          containers: [container],
          volumes: [{ name: "configuration", configMap: { name } }],
        },
      },
    },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "kube-dns", namespace, labels },
    spec: {
      clusterIP: dnsAddress,
      selector: labels,
      ports: [
        { name: "dns", port: 53, targetPort: "dns", protocol: "UDP" },
        { name: "dns-tcp", port: 53, targetPort: "dns-tcp" },
      ],
    },
  },
];
