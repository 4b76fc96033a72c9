import { Loading } from "../parts/loading.tsx";
import { useTexts } from "../texts/texts.tsx";

interface SearchOutcomeProps {
  isSearching: boolean;
  error: unknown;
  /** What is said once it is known that there is nothing. */
  nothing: string;
}

/** In the place of a search's findings while there are none; what failed is said elsewhere. */
export function SearchOutcome({ isSearching, error, nothing }: SearchOutcomeProps) {
  const { addressChoice: t } = useTexts();
  if (isSearching) return <Loading what={t.searching} />;
  return error === null && <span role="status">{nothing}</span>;
}
