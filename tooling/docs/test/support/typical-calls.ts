// Thirty typical calls of a model over the four servers, in the order in which they run, and the material that they work on.
import { makeDatabase } from "../../../../servers/sqlite/test/support/databases.ts";
import { makeRepository } from "../../../../servers/git/test/support/repository.ts";

type Call = readonly [tool: string, args: Record<string, unknown>];

const NOTES = Array.from(
  { length: 60 },
  (_, day) => `Day ${day + 1}: paid ${(day * 7) % 40} euros for ${day % 5 === 0 ? "a train" : "lunch"}.`,
);

export const FILES = {
  "notes/july.md": `# July\n\n${NOTES.join("\n")}\n`,
  "notes/letter.txt": "Dear Mr. Lee,\nthe heating is brocken since Monday.\nAda\n",
  "src/cart.ts": "export const total = (prices: number[]): number => prices.reduce((sum, price) => sum + price, 0);\n",
  "src/tax.ts": "// TODO: other rates\nexport const tax = (net: number): number => net * 0.2;\n",
};

export const filesystemCalls = (folder: string): Call[] => [
  ["list_directory", { path: folder }],
  ["directory_tree", { path: folder }],
  ["search_files", { path: folder, pattern: "**/*.ts" }],
  ["search_file_contents", { path: folder, pattern: "train" }],
  ["read_text_file", { path: `${folder}/notes/july.md` }],
  ["edit_file", { path: `${folder}/notes/letter.txt`, edits: [{ oldText: "brocken", newText: "broken" }] }],
  ["write_file", { path: `${folder}/notes/august.md`, content: FILES["notes/july.md"] }],
  ["get_file_info", { path: `${folder}/src/cart.ts` }],
];

/** Six commits, and one change that is not committed. */
export function makeProject(at: string): void {
  const repository = makeRepository(at, FILES);
  for (let commit = 1; commit <= 5; commit++)
    repository.commit(`Explain rate ${commit} of the tax\n\nThe office asked for it.`, {
      "src/tax.ts": `${FILES["src/tax.ts"]}// rate ${commit}\n`,
    });
  repository.write({ "src/cart.ts": FILES["src/cart.ts"].replace("0)", "1)") });
}

export const GIT: readonly Call[] = [
  ["git_status", {}],
  ["git_diff_unstaged", {}],
  ["git_log", { max_count: 5 }],
  ["git_show", { revision: "HEAD" }],
  ["git_blame", { path: "src/tax.ts" }],
  ["git_grep", { pattern: "TODO" }],
  ["git_branch", {}],
  ["git_add", { files: ["src/cart.ts"] }],
  ["git_commit", { message: "Begin at one" }],
];

export const makeShop = (at: string): string =>
  makeDatabase(
    at,
    `CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
     CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id), total REAL, placed TEXT);
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
     INSERT INTO customers SELECT i, 'Customer ' || i, CASE i % 3 WHEN 0 THEN 'Bonn' ELSE 'Oslo' END FROM n;
     INSERT INTO orders SELECT id, id, id * 1.5, '2026-0' || (id % 9 + 1) || '-11' FROM customers;`,
  );

export const SQLITE: readonly Call[] = [
  ["list_tables", {}],
  ["describe_table", { table_name: "orders" }],
  ["read_query", { query: "SELECT city, count(*) AS customers FROM customers GROUP BY city" }],
  ["read_query", { query: "SELECT * FROM orders LIMIT 50" }],
  ["write_query", { query: "UPDATE orders SET total = 0 WHERE id = 7" }],
  ["explain_query", { query: "SELECT * FROM orders WHERE customer_id = 3" }],
];

const FACTS = Array.from({ length: 12 }, (_, at) => `Fact ${at + 1} of the flat: the meter of room ${at + 1} shows ${at * 31} units.`);

export const MEMORY: readonly Call[] = [
  [
    "create_entities",
    { entities: [{ name: "Ada", entityType: "person", observations: ["Lives in Oslo", "Works at Analytical Engines"] }] },
  ],
  [
    "create_entities",
    { entities: Array.from({ length: 20 }, (_, at) => ({ name: `Flat ${at}`, entityType: "flat", observations: FACTS })) },
  ],
  ["create_relations", { relations: [{ from: "Ada", to: "Flat 1", relationType: "rents" }] }],
  ["add_observations", { observations: [{ entityName: "Ada", contents: ["Is allergic to nuts"] }] }],
  ["search_nodes", { query: "Ada" }],
  ["open_nodes", { names: ["Ada"] }],
  ["delete_observations", { deletions: [{ entityName: "Ada", observations: ["Is allergic to nuts"] }] }],
];
