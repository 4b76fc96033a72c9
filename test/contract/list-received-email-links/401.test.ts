import { refusesWithoutCredentials } from "../support/credentials.ts";
import { linksPath } from "../support/emails.ts";

refusesWithoutCredentials({ method: "GET", path: `${linksPath}/01890000-0000-7000-8000-000000000000` });
