import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useSignedOutTexts } from "../texts/texts.tsx";

/** Says at once that there is no network; what is on the page stays, and is looked up again when there is one. */
export function OfflineBar() {
  const isOnline = useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
  );
  const { errors } = useSignedOutTexts();
  return (
    <div className="offline" role="status">
      {!isOnline && <p className="bar bar-offline">{errors.offline}</p>}
    </div>
  );
}
