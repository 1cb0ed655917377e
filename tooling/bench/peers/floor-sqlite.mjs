// The floor for SQLite: the bare frame of the floors with better-sqlite3 driven directly behind each tool, statements kept ready,
// rows as objects sent once, as text. It checks neither arguments nor statements, stops nothing, and answers one call at a time: no
// server to use, only the limit to measure against. It is the very better-sqlite3 that servers/sqlite has.
import { createRequire } from "node:module";
import { serveTools } from "./floor-frame.mjs";

const Database = createRequire(new URL("../../../servers/sqlite/package.json", import.meta.url))("better-sqlite3");
const db = new Database(process.argv[2]);
// SQLite's own default, and what servers/sqlite sets: better-sqlite3 is built to do less in WAL mode.
db.pragma("synchronous = FULL");
const ready = new Map();

function prepared(query) {
  let statement = ready.get(query);
  if (statement === undefined) ready.set(query, (statement = db.prepare(query)));
  return statement;
}

serveTools({
  read_query: ({ query, params = [] }) => JSON.stringify(prepared(query).all(...params)),
  write_query: ({ query, params = [] }) => JSON.stringify([{ affected_rows: prepared(query).run(...params).changes }]),
});
