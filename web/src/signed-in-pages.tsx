import { Suspense } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { AddressesPage } from "./addresses/addresses-page.tsx";
import { LiveProvider } from "./live/live.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { ErrorBoundary } from "./parts/error-boundary.tsx";
import { lazyPage } from "./parts/lazy-page.ts";
import { Loading } from "./parts/loading.tsx";
import { ProofProvider } from "./proof/proof-provider.tsx";
import { SignInAgainProvider } from "./session/sign-in-again-provider.tsx";
import { Shell } from "./shell/shell.tsx";
import { english } from "./texts/english/index.ts";
import { AllTextsProvider } from "./texts/texts.tsx";

const BindingPage = lazyPage(() => import("./binding/binding-page.tsx").then((part) => part.BindingPage));
const EmailPage = lazyPage(() => import("./email/email-page.tsx").then((part) => part.EmailPage));
const InboxPage = lazyPage(() => import("./inbox/inbox-page.tsx").then((part) => part.InboxPage));
const FailuresPage = lazyPage(() => import("./failures/failures-page.tsx").then((part) => part.FailuresPage));
const DomainsPage = lazyPage(() => import("./domains/domains-page.tsx").then((part) => part.DomainsPage));
const DomainPage = lazyPage(() => import("./domains/domain-page.tsx").then((part) => part.DomainPage));
const RecordersPage = lazyPage(() => import("./recorders/recorders-page.tsx").then((part) => part.RecordersPage));
const RecorderPage = lazyPage(() => import("./recorders/recorder-page.tsx").then((part) => part.RecorderPage));
const RulesPage = lazyPage(() => import("./rules/rules-page.tsx").then((part) => part.RulesPage));
const WebhooksPage = lazyPage(() => import("./webhooks/webhooks-page.tsx").then((part) => part.WebhooksPage));
const ImportsPage = lazyPage(() => import("./imports/imports-page.tsx").then((part) => part.ImportsPage));
const ImportPage = lazyPage(() => import("./imports/import-page.tsx").then((part) => part.ImportPage));
const OperatorPage = lazyPage(() => import("./operator/operator-page.tsx").then((part) => part.OperatorPage));
const SettingsPage = lazyPage(() => import("./settings/settings-page.tsx").then((part) => part.SettingsPage));

/** What there is for who is signed in. */
export function SignedInPages() {
  const [location] = useLocation();
  return (
    <AllTextsProvider english={english}>
      <SignInAgainProvider>
        <LiveProvider>
          <ProofProvider>
            <Shell>
              <ErrorBoundary place={location}>
                <Suspense fallback={<Loading />}>
                  <Switch>
                    <Route path="/" component={AddressesPage} />
                    <Route path="/addresses/:id">{({ id }) => <BindingPage id={id} tab="email" key={id} />}</Route>
                    <Route path="/addresses/:id/contacts">
                      {({ id }) => <BindingPage id={id} tab="contacts" key={id} />}
                    </Route>
                    <Route path="/addresses/:id/rules">
                      {({ id }) => <BindingPage id={id} tab="rules" key={id} />}
                    </Route>
                    <Route path="/addresses/:id/settings">
                      {({ id }) => <BindingPage id={id} tab="settings" key={id} />}
                    </Route>
                    <Route path="/emails/:id">{({ id }) => <EmailPage id={id} key={id} />}</Route>
                    <Route path="/inbox" component={InboxPage} />
                    <Route path="/failures" component={FailuresPage} />
                    <Route path="/domains" component={DomainsPage} />
                    <Route path="/domains/:id">{({ id }) => <DomainPage id={id} key={id} />}</Route>
                    <Route path="/rules" component={RulesPage} />
                    <Route path="/webhooks" component={WebhooksPage} />
                    <Route path="/recorders" component={RecordersPage} />
                    <Route path="/recorders/:id">{({ id }) => <RecorderPage id={id} key={id} />}</Route>
                    <Route path="/import" component={ImportsPage} />
                    <Route path="/import/:id">{({ id }) => <ImportPage id={id} key={id} />}</Route>
                    <Route path="/operator/:view?">{({ view = "accounts" }) => <OperatorPage view={view} />}</Route>
                    <Route path="/settings" component={SettingsPage} />
                    <Route path="/sign-in">
                      <Redirect to="/" replace />
                    </Route>
                    <Route path="/sign-up/*?">
                      <Redirect to="/" replace />
                    </Route>
                    <Route path="/forgotten">
                      <Redirect to="/settings" replace />
                    </Route>
                    <Route component={NotFoundPage} />
                  </Switch>
                </Suspense>
              </ErrorBoundary>
            </Shell>
          </ProofProvider>
        </LiveProvider>
      </SignInAgainProvider>
    </AllTextsProvider>
  );
}
