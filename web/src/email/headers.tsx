import { Scroller } from "../parts/scroller.tsx";
import type { ShownEmail } from "./email-page.tsx";

/** Every header in the message's order, decoded. */
export function Headers({ headers }: { headers: NonNullable<ShownEmail["headers"]> }) {
  const rows = headers.map((header, place) => ({ ...header, place }));
  return (
    <Scroller name="Headers">
      <table className="headers">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
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
