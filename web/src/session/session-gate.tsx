import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useRef } from "react";
import { Me } from "../graph/gen/operations.ts";
import { isRefusal } from "../graph/refusal.ts";
import { keyOf, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { lazyPage } from "../parts/lazy-page.ts";
import { Loading } from "../parts/loading.tsx";
import { Fault } from "../parts/notice.tsx";
import { useSignedOutTexts } from "../texts/texts.tsx";
import { AccountProvider } from "./account.tsx";
import { SecondFactorPage } from "./second-factor-page.tsx";
import { signedOutKinds } from "./signed-out.ts";
import { SignedOutPages } from "./signed-out-pages.tsx";
import { useOtherTabs } from "./use-other-tabs.ts";

const SignedInPages = lazyPage(() => import("../signed-in-pages.tsx").then(({ SignedInPages }) => SignedInPages));

/** Shows the application to who is signed in, the second factor's page to who owes it, and the signed-out pages to all others. */
export function SessionGate() {
  const { common } = useSignedOutTexts();
  const { data, error, errorUpdateCount, refetch } = useGraph(Me, {});
  // While it is looked up again, what is typed to sign in or up stays.
  const lastError = useRef(error);
  if (error || errorUpdateCount === 0) lastError.current = error;
  const signedOutBy = error ?? lastError.current;
  useSignedOutElsewhere();
  useOtherTabs();
  // Whose session ended meanwhile is asked to sign in over the page, which has what they typed.
  if (data?.me)
    return (
      <AccountProvider account={data.me}>
        <Suspense fallback={<Loading />}>
          <SignedInPages />
        </Suspense>
      </AccountProvider>
    );
  if (isRefusal(signedOutBy, "SecondFactorRequired")) return <SecondFactorPage />;
  if (isRefusal(signedOutBy, ...signedOutKinds)) return <SignedOutPages />;
  if (!error) return <Loading />;
  return (
    <main className="signed-out">
      <Fault error={error} />
      <Button onClick={() => refetch()}>{common.tryAgain}</Button>
    </main>
  );
}

/** A session may end while the page is open: the first answer that says so has the account looked up again, by which that is known. */
function useSignedOutElsewhere(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ query }) => {
        const isAboutMe = query.queryKey[0] === Me.name;
        if (!isAboutMe && query.state.status === "error" && isRefusal(query.state.error, ...signedOutKinds))
          void client.invalidateQueries({ queryKey: keyOf(Me) });
      }),
    [client],
  );
}
