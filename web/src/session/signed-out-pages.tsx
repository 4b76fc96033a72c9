import { Redirect, Route, Switch } from "wouter";
import { ForgottenPage } from "./forgotten-page.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { SignUpPage } from "./sign-up-page.tsx";

/** What there is for who is not signed in; any other address waits behind the sign-in. */
export function SignedOutPages() {
  return (
    <Switch>
      <Route path="/sign-up">
        <SignUpPage />
      </Route>
      <Route path="/sign-up/:invitation">{({ invitation }) => <SignUpPage invitation={invitation} />}</Route>
      <Route path="/forgotten">
        <ForgottenPage />
      </Route>
      <Route path="/signed-out">
        <Redirect to="/" replace />
      </Route>
      <Route path="/">
        <SignInPage isFront />
      </Route>
      <Route>
        <SignInPage />
      </Route>
    </Switch>
  );
}
