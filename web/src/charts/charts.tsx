import { AccountMail, AddressMail } from "../graph/gen/operations.ts";
import { useGraph } from "../graph/use-graph.ts";
import { MailChart } from "./mail-chart.tsx";

/**
 * Email of all addresses. It is an extra: where it cannot be had, nothing is said.
 * @param isShown false while it is only asked for
 */
export function AccountChart({ isShown }: { isShown: boolean }) {
  const counts = useGraph(AccountMail, {}).data?.me?.mail;
  return counts && isShown ? <MailChart counts={counts} /> : null;
}

/** Email of one address. */
export function AddressChart({ id }: { id: string }) {
  const counts = useGraph(AddressMail, { id }).data?.proxyBinding?.mail;
  return counts ? <MailChart counts={counts} /> : null;
}
