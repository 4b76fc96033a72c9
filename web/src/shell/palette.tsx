import { AtSign, BookOpen, Keyboard, LogOut, type LucideIcon, Plus, SunMoon } from "lucide-react";
import { Autocomplete, useFilter } from "react-aria-components/Autocomplete";
import { Input } from "react-aria-components/Input";
import { Header, Menu, MenuItem, MenuSection } from "react-aria-components/Menu";
import { SearchField } from "react-aria-components/SearchField";
import { useLocation } from "wouter";
import { SearchOutcome } from "../addresses/search-outcome.tsx";
import { useAddressSearch } from "../addresses/use-address-search.ts";
import { Fault } from "../parts/notice.tsx";
import { useTheme } from "../parts/theme.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Keys } from "./keys.tsx";
import { usePlaces } from "./places.ts";
import { useSignOut } from "./use-sign-out.ts";

interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly keys?: string;
  act(): void;
}

export interface PaletteProps {
  typed: string;
  onType(typed: string): void;
  onClose(): void;
  /** Shows the keys that there are. */
  onHelp(): void;
}

const maxAddresses = 8;

/** What the palette's dialog has in it: everything one can go to or do, found by typing; addresses are asked of the server. */
export function Palette({ typed, onType, onClose, onHelp }: PaletteProps) {
  const { shell: t } = useTexts();
  const { contains } = useFilter({ sensitivity: "base" });
  const commands = useCommands(onHelp);
  const goTo = usePlaceCommands();
  const { addresses, isSearching, error, refetch } = useAddressCommands(typed);
  const fits = ({ label }: Command) => contains(label, typed.trim());
  const sections = [
    { name: t.addresses, commands: addresses },
    { name: t.places, commands: goTo.filter(fits) },
    { name: t.actions, commands: commands.filter(fits) },
  ].filter((section) => section.commands.length > 0);
  return (
    <Autocomplete inputValue={typed} onInputChange={onType}>
      <SearchField aria-label={t.jump}>
        <Input className="palette-input" placeholder={t.jumpHint} autoFocus />
      </SearchField>
      <Fault error={error} onRetry={refetch} />
      <Menu
        className="palette-list"
        aria-label={t.commands}
        renderEmptyState={() => <SearchOutcome isSearching={isSearching} error={error} nothing={t.nothingFits} />}
      >
        {sections.map(({ name, commands: found }) => (
          <MenuSection key={name} aria-label={name}>
            <Header className="palette-section">{name}</Header>
            {found.map((command) => (
              <CommandItem key={command.id} command={command} onDone={onClose} />
            ))}
          </MenuSection>
        ))}
      </Menu>
    </Autocomplete>
  );
}

function CommandItem({ command, onDone }: { command: Command; onDone(): void }) {
  const { id, label, icon: Icon, keys, act } = command;
  const perform = () => {
    onDone();
    act();
  };
  return (
    <MenuItem id={id} textValue={label} className="palette-item" onAction={perform}>
      <Icon className="icon" aria-hidden="true" />
      <span className="palette-label">{label}</span>
      {keys !== undefined && <Keys keys={keys} />}
    </MenuItem>
  );
}

function usePlaceCommands(): Command[] {
  const { navigation } = useTexts();
  const [, navigate] = useLocation();
  return usePlaces().map(({ path, name, icon, letter }) => {
    return { id: path, label: navigation[name], icon, keys: `g ${letter}`, act: () => navigate(path) };
  });
}

function useCommands(onHelp: () => void): Command[] {
  const { common, navigation, shell: t } = useTexts();
  const [, navigate] = useLocation();
  const { signOut } = useSignOut();
  const { other, change } = useTheme();
  return [
    { id: "new", label: t.newAddress, icon: Plus, keys: "n", act: () => navigate("/?new") },
    { id: "theme", label: common.useTheme(other), icon: SunMoon, act: change },
    { id: "keys", label: t.shortcuts, icon: Keyboard, keys: "?", act: onHelp },
    { id: "docs", label: t.documentation, icon: BookOpen, act: () => location.assign("/docs") },
    { id: "out", label: navigation.signOut, icon: LogOut, act: signOut },
  ];
}

function useAddressCommands(typed: string) {
  const [, navigate] = useLocation();
  const { found, ...search } = useAddressSearch(typed, maxAddresses, false);
  const addresses = found.map((each): Command => {
    return { ...each, icon: AtSign, act: () => navigate(`/addresses/${each.id}`) };
  });
  return { addresses, ...search };
}
