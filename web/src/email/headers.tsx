import { Scroller } from "../parts/scroller.tsx";
import { useTexts } from "../texts/texts.tsx";
import type { ShownEmail } from "./email-page.tsx";

/** Every header in the message's order, decoded. */
export function Headers({ headers }: { headers: NonNullable<ShownEmail["headers"]> }) {
  const { email: t } = useTexts();
  const rows = headers.map((header, place) => ({ ...header, place }));
  return (
    <Scroller name={t.headers}>
      <table className="headers">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t.headerName}</th>
            <th scope="col">{t.headerValue}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, value, place }) => (
            <tr key={place}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
