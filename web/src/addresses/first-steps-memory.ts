const dismissedKey = "postern-steps-dismissed";
const readKey = "postern-has-read";

/** Whether the first steps were put away, in this browser. */
export function areStepsDismissed(): boolean {
  return localStorage.getItem(dismissedKey) !== null;
}

export function dismissSteps(): void {
  localStorage.setItem(dismissedKey, "yes");
}

/** Whether an email was opened, in this browser. */
export function hasReadEmail(): boolean {
  return localStorage.getItem(readKey) !== null;
}

/** Takes note of an email that is opened. @param path where one is */
export function noteReading(path: string): void {
  if (path.startsWith("/emails/")) localStorage.setItem(readKey, "yes");
}
