import { Link } from "wouter";
import { Page } from "./parts/page.tsx";
import { useTexts } from "./texts/texts.tsx";

export function NotFoundPage() {
  const { notFound } = useTexts();
  return (
    <Page title={notFound.title}>
      <p>
        {notFound.lead} <Link href="/">{notFound.back}</Link>
      </p>
    </Page>
  );
}
