import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { BoardPage } from "./board/board-page.tsx";
import { LiveProvider } from "./live/live.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { Loading } from "./parts/loading.tsx";
import { ProofProvider } from "./proof/proof-provider.tsx";
import { ConfirmationBar } from "./session/confirmation-bar.tsx";
import { Header } from "./session/header.tsx";

const BindingPage = lazy(() => import("./binding/binding-page.tsx").then((part) => ({ default: part.BindingPage })));
const EmailPage = lazy(() => import("./email/email-page.tsx").then((part) => ({ default: part.EmailPage })));
const RecordersPage = lazy(() =>
  import("./recorders/recorders-page.tsx").then((part) => ({ default: part.RecordersPage })),
);
const RecorderPage = lazy(() =>
  import("./recorders/recorder-page.tsx").then((part) => ({ default: part.RecorderPage })),
);
const SettingsPage = lazy(() =>
  import("./settings/settings-page.tsx").then((part) => ({ default: part.SettingsPage })),
);

/** What there is for who is signed in. */
export function Inside() {
  return (
    <LiveProvider>
      <ProofProvider>
        <a className="skip" href="#content">
          Go to the content
        </a>
        <Header />
        <ConfirmationBar />
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/" component={BoardPage} />
            <Route path="/addresses/:id">{({ id }) => <BindingPage id={id} key={id} />}</Route>
            <Route path="/emails/:id">{({ id }) => <EmailPage id={id} key={id} />}</Route>
            <Route path="/recorders" component={RecordersPage} />
            <Route path="/recorders/:id">{({ id }) => <RecorderPage id={id} key={id} />}</Route>
            <Route path="/settings" component={SettingsPage} />
            <Route path="/sign-in">
              <Redirect to="/" replace />
            </Route>
            <Route path="/sign-up/*?">
              <Redirect to="/" replace />
            </Route>
            <Route component={NotFoundPage} />
          </Switch>
        </Suspense>
      </ProofProvider>
    </LiveProvider>
  );
}
