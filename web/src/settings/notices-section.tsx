import { useState } from "react";
import { turnNoticesOff, turnNoticesOn, useNoticesOn } from "../notices/notice-setting.ts";
import { Notice } from "../parts/notice.tsx";
import { Toggle } from "../parts/toggle.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Section } from "./section.tsx";

/** Notices by the browser: asked for by a click on the switch and by nothing else. */
export function NoticesSection() {
  const { notices: t } = useTexts();
  const isOn = useNoticesOn();
  const [trouble, setTrouble] = useState<"refused" | "unable">();
  const change = async (wanted: boolean) => {
    setTrouble(undefined);
    if (wanted) setTrouble(await turnNoticesOn({ title: t.first, body: t.firstBody }));
    else turnNoticesOff();
  };
  return (
    <Section title={t.title} lead={t.lead}>
      <Toggle isSelected={isOn} onChange={change}>
        {t.toggle}
      </Toggle>
      {trouble && <Notice>{t[trouble]}</Notice>}
    </Section>
  );
}
