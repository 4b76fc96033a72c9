import { run } from "./admin/run.ts";
import { processEnvironment } from "./platform/config.ts";
import { servicesOf } from "./targets.ts";

const environment = processEnvironment();
const { services } = servicesOf("all", environment);
const { exitCode, answer, complaint } = await run(process.argv.slice(2), services, environment);
process.stdout.write(answer);
process.stderr.write(complaint);
process.exitCode = exitCode;
