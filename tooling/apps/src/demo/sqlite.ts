// Demo of the sqlite server: a harbour with boats, berths and tides.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ServerDemo } from "./server-demo.ts";

const SCHEMA = `
create table owners (id integer primary key, name text not null, town text);
create table berths (id integer primary key, length real not null, depth real not null);
create table boats (id integer primary key, name text not null, owner integer not null references owners, berth integer references berths, built integer, length real);
create table tides (day text primary key, high real not null, low real not null);
`;

const NAMES = ["Kittiwake", "Petrel", "Gannet", "Fulmar", "Plover", "Dunlin", "Knot", "Turnstone"];

export const sqlite: ServerDemo = {
  server: "sqlite",
  async prepare(folder) {
    const file = join(folder, "harbour.db");
    const database = new DatabaseSync(file);
    database.exec(`begin; ${SCHEMA}`);
    const insert = (table: string, rows: readonly (readonly (string | number)[])[]): void => {
      const statement = database.prepare(`insert into ${table} values (${rows[0]?.map(() => "?").join()})`);
      for (const row of rows) statement.run(...row);
    };
    insert(
      "owners",
      ["Ilse Marten", "Jan Quay", "Ada Holm"].map((name, at) => [at + 1, name, ["Ebb", "Flood", "Slack"][at] ?? ""]),
    );
    insert(
      "berths",
      Array.from({ length: 20 }, (_, at) => [at + 1, 6 + (at % 9), 2 + (at % 4) / 2]),
    );
    insert(
      "boats",
      Array.from({ length: 400 }, (_, at) => [
        at + 1,
        `${NAMES[at % 8]} ${1 + Math.floor(at / 8)}`,
        1 + (at % 3),
        1 + (at % 20),
        1950 + ((at * 7) % 75),
        5 + (at % 60) / 5,
      ]),
    );
    insert(
      "tides",
      Array.from({ length: 365 }, (_, at) => [
        new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
        Number((4.5 + Math.sin(at / 4.7) * 0.8).toFixed(2)),
        Number((0.9 + Math.cos(at / 4.7) * 0.5).toFixed(2)),
      ]),
    );
    database.exec("commit");
    database.close();
    const boats = "select name, built, length from boats order by length desc";
    return {
      args: [file],
      views: [
        { view: "result", title: "Rows as a grid and as a chart", tool: "read_query", args: { query: boats } },
        { view: "result", title: "Rows of a time series", tool: "read_query", args: { query: "select day, high, low from tides" } },
        { view: "result", title: "Matches of a search", tool: "search_text", args: { query: "kittiwake" } },
        { view: "schema", title: "Tables and their keys", tool: "list_tables", args: {} },
        { view: "schema", title: "One table and those next to it", tool: "describe_table", args: { table_name: "boats" } },
      ],
    };
  },
};
