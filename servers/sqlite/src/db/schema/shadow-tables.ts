// The tables in which virtual tables keep their data. SQLite knows them by name only (`xShadowName`), so a user's table may have such a
// name too: SQLite then protects it from changes, and the virtual table may empty or drop it.
const RTREE_SUFFIXES = ["node", "parent", "rowid"];
const FTS3_SUFFIXES = ["content", "docsize", "segdir", "segments", "stat"];
const SUFFIXES: ReadonlyMap<string, readonly string[]> = new Map([
  ["fts3", FTS3_SUFFIXES],
  ["fts4", FTS3_SUFFIXES],
  ["fts5", ["config", "content", "data", "docsize", "idx"]],
  ["rtree", RTREE_SUFFIXES],
  ["rtree_i32", RTREE_SUFFIXES],
  ["geopoly", RTREE_SUFFIXES],
]);

/** The columns of the tables that the modules create, joined by commas. */
const OWN_COLUMNS: ReadonlyMap<string, RegExp> = new Map([
  ["fts5 config", /^k,v$/],
  ["fts5 content", /^id(?:,[cl]\d+)*$/],
  ["fts5 data", /^id,block$/],
  ["fts5 docsize", /^id,sz(?:,origin)?$/],
  ["fts5 idx", /^segid,term,pgno$/],
  ["fts3 content", /^docid(?:,c\d.*|,langid)*$/s],
  ["fts3 segdir", /^level,idx,start_block,leaves_end_block,end_block,root$/],
  ["fts3 segments", /^blockid,block$/],
  // Only FTS4 creates these; FTS3 empties and drops them where they exist.
  ["fts4 docsize", /^docid,size$/],
  ["fts4 stat", /^id,value$/],
  ["rtree node", /^nodeno,data$/],
  ["rtree parent", /^nodeno,parentnode$/],
  ["rtree rowid", /^rowid,nodeno(?:,a\d+)*$/],
]);
const LIKE: Readonly<Record<string, string | undefined>> = { fts4: "fts3", rtree_i32: "rtree", geopoly: "rtree" };

/** A name that a virtual table has for a table of its data. */
export interface ShadowName {
  /** In lower case. */
  readonly name: string;
  readonly owner: string;
  readonly module: string;
  readonly suffix: string;
}

/** @param module In lower case. */
export const shadowNamesOf = (owner: string, module: string): ShadowName[] =>
  (SUFFIXES.get(module) ?? []).map((suffix) => ({ name: `${owner}_${suffix}`.toLowerCase(), owner, module, suffix }));

/** Whether a table with these columns is one that the module has created. */
export function isOwnTable({ module, suffix }: ShadowName, columns: readonly string[]): boolean {
  const own = OWN_COLUMNS.get(`${module} ${suffix}`) ?? OWN_COLUMNS.get(`${LIKE[module] ?? ""} ${suffix}`);
  return own?.test(columns.join(",")) === true;
}
