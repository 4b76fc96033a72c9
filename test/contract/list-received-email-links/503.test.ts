import { linksPath } from "../support/emails.ts";
import { unavailable } from "../support/outages.ts";

unavailable(({ bindingId }) => ({ method: "GET", path: `${linksPath}/${bindingId}` }));
