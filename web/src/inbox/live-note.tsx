import { useIsLive } from "../live/live.tsx";
import { useTexts } from "../texts/texts.tsx";

/** Whether mail shows as it arrives. */
export function LiveNote() {
  const { inbox: t } = useTexts();
  return useIsLive() ? (
    <span className="state state-good">{t.live}</span>
  ) : (
    <span className="state state-waiting">{t.reconnecting}</span>
  );
}
