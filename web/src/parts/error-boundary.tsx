import { Component, type ReactNode, useEffect } from "react";
import { useSignedOutTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";
import { type Outage, PartMissing } from "./lazy-page.ts";
import { Page } from "./page.tsx";

interface ErrorBoundaryProps {
  /** Where it changes, what failed is tried again: the page's path. */
  place: string;
  /** Of what nobody looks at: where it fails nothing is shown. */
  isQuiet?: boolean;
  children: ReactNode;
}

interface ErrorBoundaryState {
  failedPlace: string | undefined;
  /** Why its file did not come, if only that is amiss. */
  outage: Outage | undefined;
}

/** A page that fails while it is shown leaves the navigation, and a way on. React has no hook for this. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failedPlace: undefined, outage: undefined };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failedPlace: "", outage: error instanceof PartMissing ? error.kind : undefined };
  }

  static getDerivedStateFromProps(
    { place }: ErrorBoundaryProps,
    { failedPlace }: ErrorBoundaryState,
  ): Pick<ErrorBoundaryState, "failedPlace"> {
    if (failedPlace === "") return { failedPlace: place };
    return { failedPlace: failedPlace === place ? failedPlace : undefined };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof PartMissing) error.forget();
  }

  private readonly tryAgain = () => this.setState({ failedPlace: undefined });

  override render(): ReactNode {
    if (this.state.failedPlace === undefined) return this.props.children;
    if (this.props.isQuiet) return null;
    const { outage } = this.state;
    return outage ? <PageMissing outage={outage} onRetry={this.tryAgain} /> : <PageFailed />;
  }
}

/** Comes by itself once there is a network again. */
function PageMissing({ outage, onRetry }: { outage: Outage; onRetry(): void }) {
  const { common, errors } = useSignedOutTexts();
  useEffect(() => {
    window.addEventListener("online", onRetry);
    return () => window.removeEventListener("online", onRetry);
  }, [onRetry]);
  const isServers = outage === "ServerFailed";
  const unreachable = navigator.onLine ? errors.unreachableTitle : errors.offlineTitle;
  return (
    <Page title={isServers ? errors.serverFailedTitle : unreachable}>
      <p role="alert">{isServers ? errors.notLoadedServerLead : errors.notLoadedLead}</p>
      <div>
        <Button look="primary" onClick={onRetry}>
          {common.tryAgain}
        </Button>
      </div>
    </Page>
  );
}

function PageFailed() {
  const { errors } = useSignedOutTexts();
  return (
    <Page title={errors.pageFailed}>
      <p role="alert">{errors.pageFailedLead}</p>
      <div>
        <Button look="primary" onClick={() => location.reload()}>
          {errors.reload}
        </Button>
      </div>
    </Page>
  );
}
