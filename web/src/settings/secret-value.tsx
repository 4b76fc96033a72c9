import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { useTexts } from "../texts/texts.tsx";

/** A secret that is shown when asked for. @param what "the API token" */
export function SecretValue({ secret, what }: { secret: string; what: string }) {
  const { common } = useTexts();
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="secret">
      <code className="address">{isShown ? secret : "•".repeat(24)}</code>
      <Button
        look="quiet"
        onPress={() => setIsShown(!isShown)}
        aria-label={`${isShown ? common.hide : common.show} ${what}`}
      >
        {isShown ? common.hide : common.show}
      </Button>
      <CopyButton text={secret} what={what} />
    </div>
  );
}
