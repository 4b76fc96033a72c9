import { Link, useLocation } from "wouter";
import { SignOut } from "../graph/gen/operations.ts";
import { useChange } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { Mark } from "../parts/mark.tsx";
import { ThemeButton } from "../parts/theme.tsx";
import { useTexts } from "../texts/texts.tsx";
import { useAccount } from "./account.tsx";
import { useEntering } from "./use-entering.ts";

const places = [
  { path: "/", name: "addresses", within: ["/addresses", "/emails"] },
  { path: "/domains", name: "domains", within: ["/domains"] },
  { path: "/recorders", name: "testEndpoints", within: ["/recorders"] },
  { path: "/settings", name: "settings", within: ["/settings"] },
] as const;

export function Header() {
  const { common, navigation } = useTexts();
  const { username } = useAccount();
  const [location, navigate] = useLocation();
  const signOut = useChange(SignOut);
  const enter = useEntering();
  const leave = () =>
    signOut.mutate(
      {},
      {
        onSettled: async () => {
          navigate("/");
          await enter();
        },
      },
    );
  return (
    <header className="header">
      <Link href="/" className="header-mark">
        <Mark />
      </Link>
      <nav className="nav" aria-label={common.mainNavigation}>
        {places.map(({ path, name, within }) => {
          const isHere = location === path || within.some((start) => location.startsWith(start));
          return (
            <Link key={path} href={path} className="nav-link" {...(isHere ? { "aria-current": "page" } : {})}>
              {navigation[name]}
            </Link>
          );
        })}
      </nav>
      <div className="header-end">
        <span className="header-account">{username}</span>
        <ThemeButton />
        <Button look="quiet" onPress={leave} isPending={signOut.isPending}>
          {navigation.signOut}
        </Button>
      </div>
    </header>
  );
}
