import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import type { Texts } from "./english/index.ts";
import { type SignedOutTexts, signedOutEnglish } from "./english/signed-out.ts";

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

interface SignedOutSpeech extends Locale {
  texts: SignedOutTexts;
  /** All texts of a language that is loaded as a whole; absent for English. */
  all: Texts | undefined;
}

const SignedOutContext = createContext<SignedOutSpeech | undefined>(undefined);
const SpeechContext = createContext<Speech | undefined>(undefined);

interface Loaded {
  language: Language;
  all: Texts | undefined;
}

/** Shows nothing until the texts are there: a moment, and only where they are not English. */
export function TextsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(preferredLanguage);
  const [loaded, setLoaded] = useState<Loaded>({ language: "en", all: undefined });
  useEffect(() => {
    let isCurrent = true;
    const keep = (all?: Texts) => isCurrent && setLoaded({ language, all });
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
  const speech = useMemo<SignedOutSpeech>(() => {
    const locale = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
    return { texts: loaded.all ?? signedOutEnglish, all: loaded.all, language, locale, choose };
  }, [loaded, language, choose]);
  return loaded.language === language ? <SignedOutContext value={speech}>{children}</SignedOutContext> : null;
}

/** All texts, for what is behind the sign-in. @param english comes with that part of the application */
export function AllTextsProvider({ english, children }: { english: Texts; children: ReactNode }) {
  const { all, language, locale, choose } = useSignedOutSpeech();
  const speech = useMemo<Speech>(
    () => ({ texts: all ?? english, language, locale, choose }),
    [all, english, language, locale, choose],
  );
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}

function useSignedOutSpeech(): SignedOutSpeech {
  const speech = useContext(SignedOutContext);
  if (!speech) throw new Error("texts are read within the TextsProvider alone");
  return speech;
}

/** The texts that are there before the sign-in as well. */
export function useSignedOutTexts(): SignedOutTexts {
  return useSignedOutSpeech().texts;
}

export function useSpeech(): Speech {
  const speech = useContext(SpeechContext);
  if (!speech) throw new Error("all texts are read behind the sign-in alone; before it, see useSignedOutTexts");
  return speech;
}

/** The interface's texts in the language of this browser's user. */
export function useTexts(): Texts {
  return useSpeech().texts;
}
