// The floor for SQLite: the bare loop of the stdio floor with better-sqlite3 driven directly behind each tool, statements kept ready,
// rows as objects sent once, as text. It checks neither arguments nor statements, stops nothing, and answers one call at a time: no
// server to use, only the limit to measure against. It is the very better-sqlite3 that servers/sqlite has.
import { createRequire } from "node:module";

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

const tools = {
  read_query: ({ query, params = [] }) => JSON.stringify(prepared(query).all(...params)),
  write_query: ({ query, params = [] }) => JSON.stringify([{ affected_rows: prepared(query).run(...params).changes }]),
};

function answer({ id, method, params }) {
  if (id === undefined) return;
  let result = {};
  if (method === "initialize") {
    result = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "floor", version: "1.0.0" } };
  } else if (method === "tools/list") {
    result = { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: "object" } })) };
  } else if (method === "tools/call") {
    result = { content: [{ type: "text", text: tools[params.name](params.arguments) }] };
  }
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}\n`);
}

let held = null;
process.stdin.on("data", (chunk) => {
  let from = 0;
  for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
    if (held === null) answer(JSON.parse(chunk.utf8Slice(from, end)));
    else {
      held.push(chunk.subarray(from, end));
      answer(JSON.parse(Buffer.concat(held).toString()));
      held = null;
    }
    from = end + 1;
  }
  if (from < chunk.length) (held ??= []).push(chunk.subarray(from));
});
