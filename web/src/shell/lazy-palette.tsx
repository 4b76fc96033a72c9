import { useQuery } from "@tanstack/react-query";
import { GraphRefusal } from "../graph/refusal.ts";
import { Dialog } from "../parts/dialog.tsx";
import { loadPart } from "../parts/lazy-page.ts";
import { Loading } from "../parts/loading.tsx";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { PaletteProps } from "./palette.tsx";

const unreachable = new GraphRefusal("the palette's file did not come", "Unreachable");

/** The palette, from a file of its own; where that cannot be had, as without a network, it says so and can be tried again. */
export function LazyPalette(props: PaletteProps) {
  const { shell: t } = useTexts();
  const { data, isError, refetch } = useQuery({
    queryKey: ["palette"],
    queryFn: () => loadPart(() => import("./palette.tsx")),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
  });
  if (data) return <data.Palette {...props} />;
  return (
    <Dialog title={t.jump} isOpen onClose={props.onClose}>
      {isError ? <Fault error={unreachable} onRetry={refetch} /> : <Loading />}
    </Dialog>
  );
}
