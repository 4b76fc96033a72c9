import { unavailable } from "../support/outages.ts";
import { recorderPath } from "../support/recorders.ts";

unavailable(() => ({ method: "POST", path: recorderPath }));
