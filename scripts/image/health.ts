// The image's HEALTHCHECK: it has no curl, and may have no shell.
// A service of a fleet answers at INTERNAL_PORT; one process with all of them at HTTP_PORT alone.

const ports = [process.env["INTERNAL_PORT"] || "9090", process.env["HTTP_PORT"] || "8080"];

async function isReady(port: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) });
    process.stdout.write(`${await answer.text()}\n`);
    return answer.ok;
  } catch (error) {
    process.stdout.write(`port ${port}: ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

let isHealthy = false;
for (const port of ports) isHealthy ||= await isReady(port);
process.exitCode = isHealthy ? 0 : 1;
