import { ToggleButton } from "react-aria-components/ToggleButton";
import { ToggleButtonGroup } from "react-aria-components/ToggleButtonGroup";

interface ViewTabsProps {
  name: string;
  views: readonly { readonly id: string; readonly name: string }[];
  current: string;
  onChange(id: string): void;
}

/** Which part of a list is shown: one of a few. */
export function ViewTabs({ name, views, current, onChange }: ViewTabsProps) {
  return (
    <ToggleButtonGroup
      className="views"
      aria-label={name}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[current]}
      onSelectionChange={(keys) => {
        const [id] = keys;
        if (id !== undefined) onChange(String(id));
      }}
    >
      {views.map((view) => (
        <ToggleButton key={view.id} id={view.id} className="view">
          {view.name}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
