import { useIsLive } from "../live/live.tsx";
import { useTexts } from "../texts/texts.tsx";

/** Whether mail shows as it arrives. */
export function LiveNote() {
  const { inbox } = useTexts();
  return useIsLive() ? (
    <span className="state state-good">{inbox.live}</span>
  ) : (
    <span className="state state-waiting">{inbox.reconnecting}</span>
  );
}
