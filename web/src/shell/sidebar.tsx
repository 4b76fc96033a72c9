import { LogOut, Search } from "lucide-react";
import { Link } from "wouter";
import { Button } from "../parts/button.tsx";
import { Mark } from "../parts/mark.tsx";
import { ThemeButton } from "../parts/theme.tsx";
import { useAccount } from "../session/account.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Keys } from "./keys.tsx";
import { MoreSheet } from "./more-sheet.tsx";
import { NavLink } from "./nav-link.tsx";
import { usePlaces } from "./places.ts";
import { useSignOut } from "./use-sign-out.ts";

/** Where one is and can go; on a phone a bar above, with the places below. */
export function Sidebar({ onSearch }: { onSearch(): void }) {
  const { common, navigation, shell: t } = useTexts();
  const { username } = useAccount();
  const places = usePlaces();
  const { signOut, isPending } = useSignOut();
  return (
    <header className="sidebar">
      <Link href="/" className="sidebar-mark">
        <Mark />
      </Link>
      <Button className="jump" onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <Search className="icon" aria-hidden="true" />
        {t.jump}
        <Keys keys={t.jumpKeys} />
      </Button>
      <Button look="icon" onClick={onSearch} aria-label={t.jump}>
        <Search className="icon" aria-hidden="true" />
      </Button>
      <nav className="nav" aria-label={common.mainNavigation}>
        <ul className="nav-list">
          {places.map((place) => (
            <li key={place.path} className={place.isWide ? "nav-link-wide" : ""}>
              <NavLink place={place} />
            </li>
          ))}
          <li className="nav-more">
            <MoreSheet />
          </li>
        </ul>
      </nav>
      <div className="sidebar-foot">
        <span className="header-account" title={username}>
          {username}
        </span>
        <ThemeButton />
        <Button look="icon" onClick={signOut} isPending={isPending} aria-label={navigation.signOut}>
          <LogOut className="icon" aria-hidden="true" />
        </Button>
      </div>
    </header>
  );
}
