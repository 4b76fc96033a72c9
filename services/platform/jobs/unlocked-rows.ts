interface RowSelection {
  columns: string;
  table: string;
  where: string;
  /** The rows that come first are taken first. */
  orderBy?: string;
  /** As a parameter such as `$2`, or a number. */
  limit: string | number;
}

/**
 * A select of rows for one transaction to work on: those that another one holds are passed over, not waited for. It is the only
 * `skip locked` there is, so that no row is claimed but by a job.
 */
export function unlockedRows({ columns, table, where, orderBy, limit }: RowSelection): string {
  const order = orderBy === undefined ? "" : ` order by ${orderBy}`;
  return `select ${columns} from ${table} where ${where}${order} limit ${limit} for update skip locked`;
}
