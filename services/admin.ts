import { run } from "./admin/run.ts";
import { processEnvironment } from "./platform/config.ts";
import { loadAllServices } from "./targets.ts";

const environment = processEnvironment();
const { exitCode, answer, complaint } = await run(process.argv.slice(2), await loadAllServices(), environment);
process.stdout.write(answer);
process.stderr.write(complaint);
process.exitCode = exitCode;
