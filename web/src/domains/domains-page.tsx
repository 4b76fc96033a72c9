import { type FormEvent, useState } from "react";
import { Link, useLocation } from "wouter";
import { AddDomain, Domains } from "../graph/gen/operations.ts";
import { useChange, useGraph } from "../graph/use-graph.ts";
import { Button } from "../parts/button.tsx";
import { useFieldFaults } from "../parts/field-faults.ts";
import { Loading } from "../parts/loading.tsx";
import { Fault, Missing } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { TextInput } from "../parts/text-input.tsx";
import { useTexts } from "../texts/texts.tsx";
import { DomainState } from "./domain-state.tsx";

/** The account's own domains, and a form to add one. */
export function DomainsPage() {
  const { domains: t } = useTexts();
  const { data, error, refetch } = useGraph(Domains, {});
  return (
    <Page title={t.title}>
      <p className="lead">{t.lead}</p>
      <AddDomainForm />
      <Fault error={error} onRetry={refetch} />
      {!data && !error && <Loading what={t.loading} />}
      {data && data.domains === null && <Missing what={t.what} onRetry={refetch} />}
      {data?.domains?.length === 0 && <p className="empty">{t.none}</p>}
      <ul className="cards" aria-label={t.title}>
        {data?.domains?.map((domain) => (
          <li className="card card-head" key={domain.id}>
            <h2 className="address">
              <Link href={`/domains/${domain.id}`}>{domain.name}</Link>
            </h2>
            <DomainState domain={domain} />
          </li>
        ))}
      </ul>
    </Page>
  );
}

/** What is copied from the browser's address bar is a URL. */
function nameIn(typed: string): string {
  return typed.trim().replace(/^https?:\/\/([^/:]+).*$/i, "$1");
}

function AddDomainForm() {
  const { common, domains: t } = useTexts();
  const [name, setName] = useState("");
  const [, navigate] = useLocation();
  const addition = useChange(AddDomain, [Domains], ({ addDomain }) => {
    if (addDomain) navigate(`/domains/${addDomain.id}`);
  });
  const faults = useFieldFaults(addition.error, "name");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    addition.mutate({ name: nameIn(name) });
  };
  return (
    <form className="inline-form" onSubmit={submit}>
      <TextInput
        label={t.add}
        hint={t.addHint}
        placeholder="example.com"
        inputMode="url"
        value={name}
        onChange={setName}
        error={faults.at("name")}
        required
      />
      <Button look="primary" type="submit" isPending={addition.isPending}>
        {common.add}
      </Button>
      <Fault error={faults.rest} />
    </form>
  );
}
