import { useId } from "react";

interface ViewTabsProps {
  name: string;
  views: readonly { readonly id: string; readonly name: string }[];
  current: string;
  onChange(id: string): void;
}

/** Which part of a list is shown: one of a few. */
export function ViewTabs({ name, views, current, onChange }: ViewTabsProps) {
  const group = useId();
  return (
    <fieldset className="views" aria-label={name}>
      {views.map((view) => (
        <label key={view.id} className="view">
          <input type="radio" name={group} checked={view.id === current} onChange={() => onChange(view.id)} />
          {view.name}
        </label>
      ))}
    </fieldset>
  );
}
