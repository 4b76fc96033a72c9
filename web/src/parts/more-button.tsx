import { useTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";

interface MoreButtonProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown };
}

/** Reads the next page of a list, if there is one. */
export function MoreButton({ list }: MoreButtonProps) {
  const { common } = useTexts();
  if (!list.hasNextPage) return null;
  return (
    <div className="more">
      <Button onClick={() => list.fetchNextPage()} isPending={list.isFetchingNextPage}>
        {common.showMore}
      </Button>
    </div>
  );
}
