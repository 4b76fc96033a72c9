import { unavailable } from "../support/outages.ts";
import { recorderPath } from "../support/recorders.ts";

unavailable(({ recorder }) => ({ method: "GET", path: `${recorderPath}/get/${recorder}` }));
