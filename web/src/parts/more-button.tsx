import { Button } from "./button.tsx";

interface MoreButtonProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown };
}

/** Reads the next page of a list, if there is one. */
export function MoreButton({ list }: MoreButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <div className="more">
      <Button onPress={() => list.fetchNextPage()} isPending={list.isFetchingNextPage}>
        Show more
      </Button>
    </div>
  );
}
