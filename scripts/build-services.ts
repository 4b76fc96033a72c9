import { buildServices } from "./services/built.ts";

// npm run build:services. Runs before npm start and npm run admin as well.
await buildServices();
