import { emailsPath } from "../support/emails.ts";
import { unavailable } from "../support/outages.ts";

unavailable(({ emailId }) => ({ method: "DELETE", path: `${emailsPath}/${emailId}` }));
