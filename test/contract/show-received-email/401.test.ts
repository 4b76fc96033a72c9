import { refusesWithoutCredentials } from "../support/credentials.ts";
import { emailsPath } from "../support/emails.ts";

refusesWithoutCredentials({ method: "GET", path: `${emailsPath}/01890000-0000-7000-8000-000000000000` });
