import { offlineFleet } from "./offline/offline-fleet.ts";
import { runParts } from "./support/run/steps.ts";

// `npm run test:offline`: `npm run offline -- up` on a machine where it does not stand, then a mail, its trace, the rules and what the
// dashboards ask, and `down`, which leaves nothing. Its ports have to be free: 2525, 8080, 9090 and 16686.

await runParts([offlineFleet]);
