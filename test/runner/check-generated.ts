import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// proto/gen is committed, so that nobody needs buf to run Postern. This proves that it is what the .proto files give.
const folder = mkdtempSync(join(tmpdir(), "postern-proto-"));
try {
  const generated = spawnSync("buf", ["generate", "--output", folder], { stdio: "inherit" });
  const compared = spawnSync("diff", ["-ru", "proto/gen", join(folder, "proto/gen")], { stdio: "inherit" });
  if (compared.status !== 0) process.stdout.write("proto/gen is not what the .proto files give: npm run proto\n");
  process.exitCode = generated.status || compared.status ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
