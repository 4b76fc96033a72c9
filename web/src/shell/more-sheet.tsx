import { Ellipsis } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ThemeButton } from "../parts/theme.tsx";
import { useAccount } from "../session/account.tsx";
import { useTexts } from "../texts/texts.tsx";
import { NavLink } from "./nav-link.tsx";
import { usePlaces } from "./places.ts";
import { useSignOut } from "./use-sign-out.ts";

/** What a phone's bar has no room for: the other places, the theme, and the way out. */
export function MoreSheet() {
  const { navigation, shell: t } = useTexts();
  const { username } = useAccount();
  const places = usePlaces();
  const [isOpen, setIsOpen] = useState(false);
  const [location] = useLocation();
  const { signOut, isPending } = useSignOut();
  useEffect(() => {
    // Whichever link was followed, the sheet has done its work.
    if (location) setIsOpen(false);
  }, [location]);
  return (
    <>
      <button type="button" className="nav-link" onClick={() => setIsOpen(true)}>
        <Ellipsis className="icon" aria-hidden="true" />
        {t.more}
      </button>
      <Dialog title={t.more} isOpen={isOpen} onClose={() => setIsOpen(false)} look="sheet">
        <ul className="sheet-links">
          {places
            .filter(({ isWide }) => isWide)
            .map((place) => (
              <li key={place.path}>
                <NavLink place={place} />
              </li>
            ))}
        </ul>
        <div className="sheet-foot">
          <span className="header-account">{username}</span>
          <ThemeButton />
          <Button onClick={signOut} isPending={isPending}>
            {navigation.signOut}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
