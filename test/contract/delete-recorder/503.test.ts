import { unavailable } from "../support/outages.ts";
import { recorderPath } from "../support/recorders.ts";

unavailable(({ recorder }) => ({ method: "DELETE", path: `${recorderPath}/${recorder}` }));
