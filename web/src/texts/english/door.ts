import { common, errors } from "./common.tsx";
import { session } from "./session.tsx";

/** The texts up to the sign-in, which come with the application. The others come with what is behind it: see index.ts. */
export const englishDoor = { common, errors, session };

/** What every language has of these. */
export type DoorTexts = typeof englishDoor;
