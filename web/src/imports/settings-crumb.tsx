import { ChevronLeft } from "lucide-react";
import { Link } from "wouter";
import { useTexts } from "../texts/texts.tsx";

/** The way back from what is reached by the settings. */
export function SettingsCrumb() {
  const { settings } = useTexts();
  return (
    <Link href="/settings" className="crumb">
      <ChevronLeft className="icon" aria-hidden="true" />
      {settings.title}
    </Link>
  );
}
