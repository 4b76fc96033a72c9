import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { english, type Texts } from "./english/index.ts";

/** Each with its name in itself. */
export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

/** English comes with the application; the others are loaded when somebody wants them. */
const others: Readonly<Record<Exclude<Language, "en">, () => Promise<Texts>>> = {
  de: () => import("./german/index.ts").then(({ german }) => german),
};

const key = "postern-language";
const isLanguage = (tag: string | null | undefined): tag is Language => tag != null && Object.hasOwn(languages, tag);

/** What was chosen here before, else the first that the browser asks for and we have. */
function preferredLanguage(): Language {
  const chosen = localStorage.getItem(key);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.split("-")[0]).find(isLanguage) ?? "en";
}

export interface Speech {
  texts: Texts;
  language: Language;
  /** For numbers and dates: the browser's own where that is of the same language. */
  locale: string;
  choose(language: Language): void;
}

const SpeechContext = createContext<Speech | undefined>(undefined);

/** Shows nothing until the texts are there: a moment, and only where they are not English. */
export function TextsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(preferredLanguage);
  const [loaded, setLoaded] = useState<{ language: Language; texts: Texts }>({ language: "en", texts: english });
  useEffect(() => {
    let isCurrent = true;
    const keep = (texts: Texts) => isCurrent && setLoaded({ language, texts });
    if (language === "en") keep(english);
    // Without its file the English texts stay.
    else others[language]().then(keep, () => keep(english));
    document.documentElement.lang = language;
    return () => {
      isCurrent = false;
    };
  }, [language]);
  const choose = useCallback((chosen: Language) => {
    localStorage.setItem(key, chosen);
    setLanguage(chosen);
  }, []);
  const speech = useMemo<Speech>(() => {
    const locale = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
    return { texts: loaded.texts, language, locale, choose };
  }, [loaded, language, choose]);
  return loaded.language === language ? <SpeechContext value={speech}>{children}</SpeechContext> : null;
}

export function useSpeech(): Speech {
  const speech = useContext(SpeechContext);
  if (!speech) throw new Error("texts are read within the TextsProvider alone");
  return speech;
}

/** The interface's texts in the language of this browser's user. */
export function useTexts(): Texts {
  return useSpeech().texts;
}
