import { createServer } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { freePorts } from "../../../scripts/peers/free-ports.ts";
import { listen, requirePorts } from "./listen.ts";

const servers = [createServer(), createServer()] as const;
afterEach(() => {
  for (const server of servers) server.close();
});

test("a port that is in use is a fault of the variable that gives it", async () => {
  const port = await listen(servers[0], "HTTP_PORT", 0);
  await expect(listen(servers[1], "SMTP_PORT", port)).rejects.toMatchObject({
    name: "ConfigurationError",
    faults: [`SMTP_PORT: ${port} cannot be had: it is in use`],
  });
});

test("ports that are asked for beforehand are told together where they cannot be had, also one that is asked for twice", async () => {
  const taken = await listen(servers[0], "HTTP_PORT", 0);
  const [free = 0] = await freePorts(1);
  await expect(requirePorts({ HTTP_PORT: taken, SMTP_PORT: free, INTERNAL_PORT: free })).rejects.toMatchObject({
    name: "ConfigurationError",
    faults: [`HTTP_PORT: ${taken} cannot be had: it is in use`, `INTERNAL_PORT: ${free} cannot be had: it is in use`],
  });
  await requirePorts({ HTTP_PORT: free });
  await listen(servers[1], "HTTP_PORT", free);
});
