import { createServer } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { listen } from "./listen.ts";

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
