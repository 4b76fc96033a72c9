import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";

/** A secret that is shown when asked for. @param what "the API token" */
export function SecretValue({ secret, what }: { secret: string; what: string }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="secret">
      <code className="address">{isShown ? secret : "•".repeat(24)}</code>
      <Button look="quiet" onPress={() => setIsShown(!isShown)} aria-label={`${isShown ? "Hide" : "Show"} ${what}`}>
        {isShown ? "Hide" : "Show"}
      </Button>
      <CopyButton text={secret} what={what} />
    </div>
  );
}
