import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "../../services/platform/files.ts";
import { clusterFolder } from "../containers/places.ts";
import { hasCommand, runCommand } from "../peers/command.ts";

const limitMs = 30_000;
const bridge = "postern-nodes";
/** Of nodes, pods and services: 10.213.0.0/16, 10.214.0.0/16 and 10.215.0.0/16. */
const everything = "10.212.0.0/14";

/** This machine as nodes see it; the control plane listens here. */
export const machineAddress = "10.213.0.1";
export const podRange = "10.214.0.0/16";
export const serviceRange = "10.215.0.0/16";
export const dnsAddress = "10.215.0.10";

/** A node: a network of its own on this machine. */
export interface NodeNetwork {
  name: string;
  address: string;
  podRange: string;
}

export const nodes: readonly NodeNetwork[] = [1, 2].map((number) => ({
  name: `postern-node-${number}`,
  address: `10.213.0.${10 + number}`,
  podRange: `10.214.${number}.0/24`,
}));

const ip = (...words: string[]) => runCommand("ip", words, limitMs);
const forwarding = "/proc/sys/net/ipv4/ip_forward";
const formerForwarding = join(clusterFolder, "former-ip-forward");

/** What the machine lets pass, and under whose address pods reach the world. */
const rules: readonly (readonly string[])[] = [
  ["filter", "FORWARD", "--source", everything, "--jump", "ACCEPT"],
  ["filter", "FORWARD", "--destination", everything, "--jump", "ACCEPT"],
  ["nat", "POSTROUTING", "--source", everything, "!", "--destination", everything, "--jump", "MASQUERADE"],
];

const iptables = (verb: string, [table = "", chain = "", ...rule]: readonly string[]) => [
  `--table=${table}`,
  "--wait",
  verb,
  chain,
  ...rule,
  "--match=comment",
  "--comment=postern-cluster",
];

/** The command that runs another one in a node's network, but sees the same mounts as all. */
export const within = ({ name }: NodeNetwork) => ["nsenter", `--net=/run/netns/${name}`];

export async function createNetwork(): Promise<void> {
  if (!(await exists(`/sys/class/net/${bridge}`))) {
    await ip("link", "add", bridge, "type", "bridge");
    await ip("address", "add", `${machineAddress}/24`, "dev", bridge);
  }
  await ip("link", "set", bridge, "up");
  if (!(await exists(formerForwarding))) await writeFile(formerForwarding, await readFile(forwarding));
  await writeFile(forwarding, "1");
  for (const rule of rules)
    if (!(await hasCommand("iptables", iptables("--check", rule))))
      await runCommand("iptables", iptables("--insert", rule), limitMs);
  for (const [index, node] of nodes.entries()) await connectNode(node, index + 1);
  // Any node leads to all services.
  for (const { address } of nodes.slice(0, 1)) await ip("route", "replace", serviceRange, "via", address);
}

async function connectNode(node: NodeNetwork, number: number): Promise<void> {
  if (await exists(`/run/netns/${node.name}`)) return;
  const link = `postern-n${number}`;
  await ip("netns", "add", node.name);
  await ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", node.name);
  await ip("link", "set", link, "master", bridge, "up");
  const inside = (...words: string[]) => ip("-netns", node.name, ...words);
  await inside("link", "set", "lo", "up");
  await inside("address", "add", `${node.address}/24`, "dev", "eth0");
  await inside("link", "set", "eth0", "up");
  await inside("route", "add", "default", "via", machineAddress);
  for (const other of nodes) if (other !== node) await inside("route", "add", other.podRange, "via", other.address);
  // What none of its pods has; each of them has a route of its own.
  await inside("route", "add", "unreachable", node.podRange);
  await ip("route", "replace", node.podRange, "via", node.address);
  const setting = "net.ipv4.ip_forward=1";
  await runCommand("nsenter", [`--net=/run/netns/${node.name}`, "sysctl", "--quiet", "--write", setting], limitMs);
}

/** Takes away what is there of it; the links end with the networks that they lead into. */
export async function deleteNetwork(): Promise<void> {
  for (const { name } of nodes) if (await exists(`/run/netns/${name}`)) await ip("netns", "delete", name);
  if (await exists(`/sys/class/net/${bridge}`)) await ip("link", "delete", bridge);
  for (const rule of rules)
    while (await hasCommand("iptables", iptables("--check", rule)))
      await runCommand("iptables", iptables("--delete", rule), limitMs);
  if (await exists(formerForwarding)) await writeFile(forwarding, await readFile(formerForwarding));
}
