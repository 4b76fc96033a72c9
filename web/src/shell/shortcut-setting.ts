const key = "postern-letters";

/** Whether single letters are commands: who dictates or mistypes can switch it off (WCAG 2.1.4). */
export function areShortcutsEnabled(): boolean {
  return localStorage.getItem(key) !== "off";
}

export function setShortcutsEnabled(isOn: boolean): void {
  if (isOn) localStorage.removeItem(key);
  else localStorage.setItem(key, "off");
}
