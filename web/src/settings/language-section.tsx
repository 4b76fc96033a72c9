import { type Language, languages, useSpeech } from "../texts/texts.tsx";
import { Section } from "./section.tsx";

export function LanguageSection() {
  const { texts, language, choose } = useSpeech();
  const t = texts.settings;
  return (
    <Section title={t.language} lead={t.languageLead}>
      <div>
        <select
          className="input"
          aria-label={t.language}
          value={language}
          onChange={({ target }) => choose(target.value as Language)}
        >
          {Object.entries(languages).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </Section>
  );
}
