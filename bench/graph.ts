/**
 * How many lists of addresses a second the graph answers, beside the same data through REST and a bare express and pg handler.
 * npm run bench:graph -- [--rounds=3] [--seconds=5] [--node=--cpu-prof,…]; see bench/README.md.
 */
import { parseArgs } from "node:util";
import { bindingCount, startBenchInstallation } from "./api/bench-installation.ts";
import { measure, table } from "./api/compared-system.ts";
import { wireRequest } from "./api/load.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "5" },
    /** Options of Postern's node, comma-separated. */
    node: { type: "string", default: "" },
  },
});

/** What REST says by two requests: the account, its quota, and a page of bindings with all that is shown of each. */
const query = `query AddressList($first: Int!) {
  me { id username quota { used available } }
  proxyBindings(first: $first) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes {
      id proxyAddress description callbackUrl isBrowsable isAutomatic receivedEmails createdAt updatedAt
      realAddresses { address isEnabled isVerified isVerificationNeeded }
    }
  }
}`;

const { postern, bare, stop } = await startBenchInstallation(values.node.split(",").filter(Boolean));
try {
  const { token } = postern;
  const body = JSON.stringify({ query, variables: { first: bindingCount } });
  const list = "/api/v1/proxy-bindings";
  const read = [wireRequest("GET", "/api/v1/users/me", { token }), wireRequest("GET", list, { token })];
  const systems = [
    {
      name: "Postern, graph",
      ...postern,
      requests: [wireRequest("POST", "/graphql", { token, "content-type": "application/json" }, body)],
    },
    { name: "Postern, REST (two requests)", ...postern, requests: read },
    { name: "express and pg, bare (the list alone)", ...bare, requests: [wireRequest("GET", list, {})] },
  ];
  const measurements = await measure(systems, Number(values.rounds), Number(values.seconds) * 1000);
  process.stdout.write(table(`address list of ${bindingCount} bindings`, systems, measurements));
} finally {
  await stop();
}
