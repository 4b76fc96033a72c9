import { Section } from "./section.tsx";

export function DataSection() {
  return (
    <Section
      title="Your data"
      lead="Everything that is kept of you: addresses, mail, deliveries, recorders; one JSON file."
    >
      <div>
        <a className="button button-plain" href="/export" download>
          Download it
        </a>
      </div>
    </Section>
  );
}
