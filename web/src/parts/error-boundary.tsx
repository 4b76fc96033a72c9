import { Component, type ReactNode } from "react";
import { useSignedOutTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";
import { Page } from "./page.tsx";

interface ErrorBoundaryProps {
  /** Where it changes, what failed is tried again: the page's path. */
  place: string;
  children: ReactNode;
}

/** A page that fails while it is shown leaves the navigation, and a way on. React has no hook for this. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failedPlace: string | undefined }> {
  override state = { failedPlace: undefined };

  static getDerivedStateFromError(): { failedPlace: string } {
    return { failedPlace: "" };
  }

  static getDerivedStateFromProps(
    { place }: ErrorBoundaryProps,
    { failedPlace }: { failedPlace: string | undefined },
  ): { failedPlace: string | undefined } {
    if (failedPlace === "") return { failedPlace: place };
    return { failedPlace: failedPlace === place ? failedPlace : undefined };
  }

  override render(): ReactNode {
    return this.state.failedPlace === undefined ? this.props.children : <PageFailed />;
  }
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
