import { Link } from "wouter";
import { Page } from "./parts/page.tsx";

export function NotFoundPage() {
  return (
    <Page title="Nothing here">
      <p>
        There is no page at this address, or what it showed is gone. <Link href="/">Go to your addresses</Link>
      </p>
    </Page>
  );
}
