import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { GraphRefusal } from "../graph/refusal.ts";
import { Dialog } from "../parts/dialog.tsx";
import { loadPart, PartMissing } from "../parts/lazy-page.ts";
import { Loading } from "../parts/loading.tsx";
import { Fault } from "../parts/notice.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { PaletteProps } from "./palette.tsx";

/**
 * The palette, from a file of its own: what is typed before it has come is in it then. Where it cannot be had, as without a network, it says so
 * and can be tried again.
 */
export function LazyPalette(props: Pick<PaletteProps, "onClose" | "onHelp">) {
  const { shell: t } = useTexts();
  const [typed, setTyped] = useState("");
  const { data, error, refetch } = useQuery({
    queryKey: ["palette"],
    queryFn: () => loadPart(() => import("./palette.tsx")),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
  });
  return (
    <Dialog title={t.jump} isOpen onClose={props.onClose} look={error ? "window" : "palette"}>
      {data ? (
        <data.Palette {...props} typed={typed} onType={setTyped} />
      ) : error ? (
        <Fault error={refusalOf(error)} onRetry={refetch} />
      ) : (
        <>
          <input
            className="palette-input"
            type="search"
            aria-label={t.jump}
            placeholder={t.jumpHint}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            autoFocus
          />
          <Loading />
        </>
      )}
    </Dialog>
  );
}

function refusalOf(error: Error): GraphRefusal {
  return new GraphRefusal(
    "the palette's file did not come",
    error instanceof PartMissing ? error.kind : "ServerFailed",
  );
}
