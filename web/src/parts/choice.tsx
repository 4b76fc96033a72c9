interface ChoiceProps<Value extends string> {
  label: string;
  /** What can be chosen, and what it is called. */
  options: Readonly<Record<Value, string>>;
  value: Value;
  onChange(value: Value): void;
}

/** One of a few, by the browser's own list: the best there is on a phone. */
export function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <select
      className="input choice"
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value as Value)}
    >
      {Object.entries<string>(options).map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  );
}
