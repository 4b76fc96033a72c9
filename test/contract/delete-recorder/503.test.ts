import { unavailable } from "../support/outages.ts";
import { removalPath } from "../support/recorders.ts";

unavailable(({ recorder }) => ({ method: "DELETE", path: `${removalPath}/${recorder}` }));
