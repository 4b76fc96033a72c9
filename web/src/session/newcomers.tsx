import { Link } from "wouter";
import { WhoMaySignUp } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";

/** The way to an account for those who have none, where there is one. */
export function Newcomers() {
  const { data } = useGraph(WhoMaySignUp, {});
  if (data?.signUpPolicy === "OPEN")
    return (
      <>
        New here? <Link href="/sign-up">Create account</Link>
      </>
    );
  if (data?.signUpPolicy === "INVITE") return "Sign-up is by invitation only.";
  return null;
}
