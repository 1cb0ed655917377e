// Rows that triggers and foreign keys change, by table.
export interface TableChanges {
  readonly table: string;
  /** Rows. Undefined where SQLite gives only the sum of several tables. */
  readonly changes?: number;
}

/** One entry for each table. */
export function addUp(changes: readonly TableChanges[]): TableChanges[] {
  const byTable = Map.groupBy(changes, ({ table }) => table);
  return [...byTable].map(([table, ofTable]) => {
    const isKnown = ofTable.every((one) => one.changes !== undefined);
    return { table, ...(isKnown && { changes: ofTable.reduce((sum, one) => sum + (one.changes ?? 0), 0) }) };
  });
}
