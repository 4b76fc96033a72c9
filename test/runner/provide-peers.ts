import { provideFaketime } from "../../scripts/peers/faketime.ts";
import { helmCommand } from "../../scripts/peers/helm.ts";
import { kafkaClassPath } from "../../scripts/peers/kafka-jars.ts";
import { startRedis } from "../../scripts/peers/redis.ts";
import { provideSwaks } from "../../scripts/peers/swaks.ts";
import { provideDkimpy } from "../support/mail/dkimpy.ts";
import { chromiumPath } from "../web/support/browser.ts";

// What several suites need, which a machine's first run fetches and installs: no test is to wait for it, nor has the time.
await kafkaClassPath();
const redis = await startRedis();
await redis.stop();
await chromiumPath();
await helmCommand();
await provideSwaks();
await provideFaketime();
await provideDkimpy();
