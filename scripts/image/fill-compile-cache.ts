// Loads what the processes of the image load, so that NODE_COMPILE_CACHE keeps what is made of it: a start takes half the CPU then.
import { loadAllServices } from "../../services/targets.ts";

await loadAllServices();
await Promise.all([
  import("../../services/admin/run.ts"),
  import("../../services/first-start.ts"),
  import("../../services/mailbox/workers/tasks.ts"),
  import("../../services/platform/runtime/host.ts"),
  import("../../services/platform/telemetry/start.ts"),
  // What platform and the gateway load when they are configured to.
  import("../../services/platform/events/kafka-bus.ts"),
  import("../../services/platform/events/embedded.ts"),
  import("../../services/platform/graph/subgraph-server.ts"),
  import("../../services/platform/http/proxy.ts"),
  import("../../gateway/graph/graph.ts"),
  import("../../gateway/graph/server.ts"),
  import("ioredis"),
]);
