import { Link } from "wouter";
import { WhoMaySignUp } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { useSignedOutTexts } from "../texts/texts.tsx";

/** The way to an account for those who have none, where there is one. */
export function SignUpLink() {
  const { session } = useSignedOutTexts();
  const { data } = useGraph(WhoMaySignUp, {});
  if (data?.signUpPolicy === "OPEN")
    return (
      <>
        {session.newHere} <Link href="/sign-up">{session.createAccount}</Link>
      </>
    );
  if (data?.signUpPolicy === "INVITE") return session.byInvitation;
  return null;
}
