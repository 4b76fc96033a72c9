import { Link, useLocation } from "wouter";
import { useTexts } from "../texts/texts.tsx";
import { isAt, type Place } from "./places.ts";

/** A place of the navigation, marked where one is there. */
export function NavLink({ place }: { place: Place }) {
  const { navigation } = useTexts();
  const [location] = useLocation();
  const { path, name, icon: Icon } = place;
  return (
    <Link href={path} className="nav-link" {...(isAt(place, location) ? { "aria-current": "page" } : {})}>
      <Icon className="icon" aria-hidden="true" />
      {navigation[name]}
    </Link>
  );
}
