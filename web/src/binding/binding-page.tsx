import { ChevronLeft } from "lucide-react";
import { Link } from "wouter";
import { AddressSwitch } from "../addresses/address-switch.tsx";
import { isForwarding, offStateOf, realTargets } from "../addresses/forwarding.ts";
import { AddressChart } from "../charts/charts.tsx";
import { Contacts } from "../contacts/contacts.tsx";
import { type BindingFragment, ProxyBinding } from "../graph/gen/operations.ts";
import { isRefusal } from "../graph/refusal.ts";
import { useGraph } from "../graph/use-graph.ts";
import { NotFoundPage } from "../not-found-page.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Fault, Notice } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RuleList } from "../rules/rule-list.tsx";
import { useTexts } from "../texts/texts.tsx";
import { AddressSettings } from "./address-settings.tsx";
import { BindingMail } from "./binding-mail.tsx";

const tabs = ["email", "contacts", "rules", "settings"] as const;
type Tab = (typeof tabs)[number];

/** One proxy address: its email, whom it knows, and what it does. */
export function BindingPage({ id, tab }: { id: string; tab: Tab }) {
  const { binding: t } = useTexts();
  const { data, error, refetch } = useGraph(ProxyBinding, { id });
  const binding = data?.proxyBinding;
  const isGone = isRefusal(error, "NotFound");
  if (isGone && !binding) return <NotFoundPage />;
  if (!binding) return <Page title={t.title}>{error ? <Fault error={error} onRetry={refetch} /> : <Skeleton />}</Page>;
  const { proxyAddress } = binding;
  return (
    <Page
      title={proxyAddress}
      before={
        <Link href="/" className="crumb">
          <ChevronLeft className="icon" aria-hidden="true" />
          {t.back}
        </Link>
      }
      actions={
        <>
          <CopyButton text={proxyAddress} what={proxyAddress} />
          <AddressSwitch binding={binding} />
        </>
      }
    >
      {/* Removed meanwhile: what is typed into the page stays. */}
      {isGone && <Fault error={error} />}
      <Facts binding={binding} />
      <OffNotice binding={binding} />
      <nav className="tabs" aria-label={t.sections}>
        {tabs.map((each) => (
          <Link
            key={each}
            href={each === "email" ? `/addresses/${id}` : `/addresses/${id}/${each}`}
            className="tab"
            {...(each === tab ? { "aria-current": "page" } : {})}
          >
            {t.tabs[each]}
          </Link>
        ))}
      </nav>
      {tab === "email" && (
        <>
          <AddressChart id={id} />
          <BindingMail binding={binding} />
        </>
      )}
      {tab === "contacts" && <Contacts binding={binding} />}
      {tab === "rules" && <RuleList bindingId={id} />}
      {tab === "settings" && <AddressSettings binding={binding} />}
    </Page>
  );
}

/** What it is for and where its mail goes, in a line. */
function Facts({ binding }: { binding: BindingFragment }) {
  const { addresses, binding: t } = useTexts();
  const targets = realTargets(binding).filter(({ isEnabled }) => isEnabled);
  return (
    <div className="address-facts">
      {binding.description !== "" && <span>{binding.description}</span>}
      <span>
        {targets.length === 0
          ? addresses.notForwarded
          : t.forwardsToWhat(targets.map(({ address }) => address).join(", "))}
      </span>
      {binding.isAutomatic && <span>{t.automatic}</span>}
      {binding.usedOn.length > 0 && (
        <ul className="badges" aria-label={addresses.labels}>
          {binding.usedOn.map((label) => (
            <li key={label} className="badge">
              {label}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What happens to the mail of an address that is switched off. */
function OffNotice({ binding }: { binding: BindingFragment }) {
  const { binding: t } = useTexts();
  if (isForwarding(binding)) return null;
  return <Notice>{t.off[offStateOf(binding)]}</Notice>;
}
