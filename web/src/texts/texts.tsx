import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { type DoorTexts, englishDoor } from "./english/door.ts";
import type { Texts } from "./english/index.ts";

/** Each with its name in itself. */
export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

/** English comes with the application, in two parts; the others are loaded when somebody wants them, each as a whole. */
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

interface Locale {
  language: Language;
  /** For numbers and dates: the browser's own where that is of the same language. */
  locale: string;
  choose(language: Language): void;
}

export interface Speech extends Locale {
  texts: Texts;
}

interface DoorSpeech extends Locale {
  texts: DoorTexts;
  /** All texts of a language that is loaded as a whole; absent for English. */
  whole: Texts | undefined;
}

const DoorContext = createContext<DoorSpeech | undefined>(undefined);
const SpeechContext = createContext<Speech | undefined>(undefined);

interface Loaded {
  language: Language;
  whole: Texts | undefined;
}

/** Shows nothing until the texts are there: a moment, and only where they are not English. */
export function TextsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(preferredLanguage);
  const [loaded, setLoaded] = useState<Loaded>({ language: "en", whole: undefined });
  useEffect(() => {
    let isCurrent = true;
    const keep = (whole?: Texts) => isCurrent && setLoaded({ language, whole });
    if (language === "en") keep();
    // Without its file the English texts stay.
    else others[language]().then(keep, () => keep());
    document.documentElement.lang = language;
    return () => {
      isCurrent = false;
    };
  }, [language]);
  const choose = useCallback((chosen: Language) => {
    localStorage.setItem(key, chosen);
    setLanguage(chosen);
  }, []);
  const speech = useMemo<DoorSpeech>(() => {
    const locale = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
    return { texts: loaded.whole ?? englishDoor, whole: loaded.whole, language, locale, choose };
  }, [loaded, language, choose]);
  return loaded.language === language ? <DoorContext value={speech}>{children}</DoorContext> : null;
}

/** All texts, for what is behind the sign-in. @param english comes with that part of the application */
export function AllTextsProvider({ english, children }: { english: Texts; children: ReactNode }) {
  const { whole, language, locale, choose } = useDoorSpeech();
  const speech = useMemo<Speech>(
    () => ({ texts: whole ?? english, language, locale, choose }),
    [whole, english, language, locale, choose],
  );
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}

function useDoorSpeech(): DoorSpeech {
  const speech = useContext(DoorContext);
  if (!speech) throw new Error("texts are read within the TextsProvider alone");
  return speech;
}

/** The texts that are there before the sign-in as well. */
export function useDoorTexts(): DoorTexts {
  return useDoorSpeech().texts;
}

export function useSpeech(): Speech {
  const speech = useContext(SpeechContext);
  if (!speech) throw new Error("all texts are read behind the sign-in alone; before it, see useDoorTexts");
  return speech;
}

/** The interface's texts in the language of this browser's user. */
export function useTexts(): Texts {
  return useSpeech().texts;
}
