import { useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useTexts } from "../texts/texts.tsx";
import { usePlaces } from "./places.ts";
import { areShortcutsEnabled, setShortcutsEnabled } from "./shortcut-setting.ts";

/** Every key that does something, and a switch for those that are single letters. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const { navigation, shell: t } = useTexts();
  const places = usePlaces();
  const [isOn, setIsOn] = useState(areShortcutsEnabled);
  const change = (on: boolean) => {
    setShortcutsEnabled(on);
    setIsOn(on);
  };
  const rows: readonly [string, string][] = [
    [t.jumpKeys, t.jump],
    ["/", t.search],
    ["n", t.newAddress],
    ["?", t.shortcuts],
    ...places.map(({ letter, name }): [string, string] => [`g ${letter}`, t.goTo(navigation[name])]),
  ];
  return (
    <Dialog title={t.shortcuts} isOpen onClose={onClose}>
      <dl className="shortcuts">
        {rows.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Toggle isSelected={isOn} onChange={change}>
        {t.letters}
      </Toggle>
    </Dialog>
  );
}
