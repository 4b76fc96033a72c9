import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { useTexts } from "../texts/texts.tsx";

interface SecretValueProps {
  /** Undefined until it was read. */
  secret: string | undefined;
  /** "the API token" */
  what: string;
  /** Reads a secret that is read only to be shown. */
  read?(onSuccess: () => void): void;
  isReading?: boolean;
}

/** A secret that is shown when asked for. */
export function SecretValue({ secret, what, read, isReading = false }: SecretValueProps) {
  const { common } = useTexts();
  const [isShown, setIsShown] = useState(false);
  const toggle = () => {
    if (secret === undefined) read?.(() => setIsShown(true));
    else setIsShown(!isShown);
  };
  return (
    <div className="secret">
      <code className={isShown ? "address" : "clamp"}>{isShown && secret ? secret : "•".repeat(24)}</code>
      <Button
        look="quiet"
        onClick={toggle}
        isPending={isReading}
        aria-label={`${isShown ? common.hide : common.show} ${what}`}
      >
        {isShown ? common.hide : common.show}
      </Button>
      {secret !== undefined && <CopyButton text={secret} what={what} />}
    </div>
  );
}
