import { AtSign, Globe, Reply, Webhook } from "lucide-react";
import { useSignedOutTexts } from "../texts/texts.tsx";

const icons = { addresses: AtSign, replies: Reply, domains: Globe, programs: Webhook } as const;

/** What the service is, for who comes by. */
export function Landing() {
  const { session } = useSignedOutTexts();
  const { title, lead, points, documentation } = session.landing;
  return (
    <div className="landing">
      <h2 className="landing-title">{title}</h2>
      <p className="landing-lead">{lead}</p>
      <ul className="landing-points">
        {(Object.keys(icons) as (keyof typeof icons)[]).map((each) => {
          const Icon = icons[each];
          return (
            <li key={each}>
              <Icon className="icon landing-icon" aria-hidden="true" />
              <div>
                <h3>{points[each].title}</h3>
                <p className="hint">{points[each].text}</p>
              </div>
            </li>
          );
        })}
      </ul>
      <p>
        <a href="/docs">{documentation}</a>
      </p>
    </div>
  );
}
