import { common, errors } from "./common.tsx";
import { session } from "./session.tsx";

/** The texts up to the sign-in, which come with the application. The others come with what is behind it: see index.ts. */
export const signedOutEnglish = { common, errors, session };

/** What every language has of these. */
export type SignedOutTexts = typeof signedOutEnglish;
