// verify: looks at the store and the file beside it, changes nothing, and says what is wrong.
import { existsSync, statSync } from "node:fs";
import { VERSION } from "../graph/store/tables.ts";
import { openDatabase } from "../graph/store/sqlite.ts";
import { lookAt, JsonlFile } from "../graph/jsonl/jsonl-file.ts";
import { lastSeq, shown } from "../graph/jsonl/mirror-state.ts";
import { totals } from "../graph/read/graph-page.ts";
import { Store } from "../graph/store/store.ts";
import type { Run } from "./run.ts";

const TOLD = 20;

export async function verify({ location, say }: Run): Promise<number> {
  const problems = [...checkStore(location.database, location.mirror, say), ...checkFile(location.mirror)];
  for (const problem of problems.slice(0, TOLD)) say(`Problem: ${problem}`);
  if (problems.length > TOLD) say(`and ${problems.length - TOLD} more`);
  say(problems.length === 0 ? "All is well." : `${problems.length} problems.`);
  return problems.length === 0 ? 0 : 1;
}

function* checkStore(path: string, mirror: string | undefined, say: (line: string) => void): Generator<string> {
  if (!existsSync(path) || statSync(path).size === 0) return say(`There is no store at ${path} yet.`);
  const store = new Store(openDatabase(path, { readonly: true, timeout: 5000 }));
  try {
    const found = store.all<{ integrity_check: string }>("PRAGMA integrity_check(20)").map((row) => row.integrity_check);
    yield* found.filter((line) => line !== "ok").map((line) => `the database: ${line}`);
    const version = Number(store.db.pragma("user_version", { simple: true }));
    if (version > VERSION) yield `its format is ${version}, and this server knows ${VERSION}: update the server`;
    const { entities, relations } = totals(store);
    say(`The store holds ${entities} entities and ${relations} relations.`);
    const twice = store.all<{ name: string }>("SELECT name FROM entity WHERE ended IS NULL GROUP BY name HAVING count(*) > 1 LIMIT 5");
    yield* twice.map(({ name }) => `two entities are named ${JSON.stringify(name)}`);
    const lost = store.get<{ count: number }>(
      "SELECT count(*) AS count FROM observation WHERE ended IS NULL AND entity NOT IN (SELECT id FROM entity WHERE ended IS NULL)",
    );
    if (lost !== undefined && lost.count > 0) yield `${lost.count} observations belong to no entity`;
    if (mirror === undefined) return;
    const state = shown(store);
    const seen = lookAt(mirror);
    if (state === undefined || seen === undefined || state.identity !== seen.identity || state.seq < lastSeq(store))
      say(`${mirror} is not in step; the next start of the server brings it there.`);
  } catch (error) {
    yield `the database cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    store.close();
  }
}

function* checkFile(mirror: string | undefined): Generator<string> {
  if (mirror === undefined || !existsSync(mirror)) return;
  const file = new JsonlFile(mirror);
  try {
    for (const { number, read } of file.lines()) if (read.kind === "damaged") yield `${mirror} line ${number}: ${read.why}`;
  } finally {
    file.close();
  }
}
