import { AccountMail, AddressMail } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { MailChart } from "./mail-chart.tsx";

/** Email of all addresses. It is an extra: where it cannot be had, nothing is said. */
export function AccountChart() {
  const counts = useGraph(AccountMail, {}).data?.me?.mail;
  return counts ? <MailChart counts={counts} /> : null;
}

/** Email of one address. */
export function AddressChart({ id }: { id: string }) {
  const counts = useGraph(AddressMail, { id }).data?.proxyBinding?.mail;
  return counts ? <MailChart counts={counts} /> : null;
}
