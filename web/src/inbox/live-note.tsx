import { useIsLive } from "../live/live.tsx";

/** Whether mail shows as it arrives. */
export function LiveNote() {
  return useIsLive() ? (
    <span className="state state-good">Live</span>
  ) : (
    <span className="state state-waiting">Looking every 10 seconds</span>
  );
}
