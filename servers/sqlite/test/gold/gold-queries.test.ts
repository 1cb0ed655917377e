// Queries of analysts on five databases: every value, name and order of read_query is that of node:sqlite, page after page.
import { DatabaseSync } from "node:sqlite";
import { connectTo, tempFolder, type TempFolder, type TestConnection } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { targetOf } from "../support/target.ts";
import { askPeer, askServer } from "./gold-queries.ts";
import { publicSets, type GoldSet } from "./public-sets.ts";
import { SCHEMAS } from "./schemas.ts";

const QUERIES = [
  "SELECT * FROM {rows}",
  "SELECT * FROM {rows} ORDER BY {amount} DESC",
  "SELECT * FROM {rows} ORDER BY {kind}, {day} DESC, {id}",
  "SELECT {id}, {label} FROM {rows} WHERE {label} IS NULL",
  "SELECT {id} FROM {rows} WHERE {label} LIKE '%1%' ORDER BY {id} DESC",
  "SELECT DISTINCT {kind} FROM {rows} ORDER BY 1",
  "SELECT {kind}, count(*) FROM {rows} GROUP BY {kind}",
  "SELECT {kind}, count(*) AS many, sum({amount}) AS together FROM {rows} GROUP BY 1 HAVING many > 3 ORDER BY together DESC",
  "SELECT count(*), count({amount}), count(DISTINCT {kind}), min({day}), max({day}), avg({amount}), total({amount}) FROM {rows}",
  "SELECT {ownerName}, count({id}) FROM {owners} LEFT JOIN {rows} USING ({owner}) GROUP BY {ownerName} ORDER BY 2 DESC, 1",
  "SELECT r.{id}, o.{ownerName} FROM {rows} AS r JOIN {owners} AS o ON o.{owner} = r.{owner} ORDER BY o.{ownerName}, r.{id} LIMIT 20 OFFSET 3",
  "SELECT {ownerName} FROM {owners} WHERE {owner} NOT IN (SELECT {owner} FROM {rows} WHERE {owner} IS NOT NULL)",
  "SELECT o.{ownerName} FROM {owners} AS o WHERE NOT EXISTS (SELECT 1 FROM {rows} AS r WHERE r.{owner} = o.{owner})",
  "SELECT {id}, {amount} FROM {rows} WHERE {amount} > (SELECT avg({amount}) FROM {rows}) ORDER BY {amount}, {id}",
  "SELECT {id}, rank() OVER (PARTITION BY {kind} ORDER BY {amount} DESC, {id}) AS place FROM {rows} ORDER BY {kind}, place",
  "SELECT {id}, sum({amount}) OVER (ORDER BY {id} ROWS UNBOUNDED PRECEDING) FROM {rows}",
  "SELECT {id}, lag({amount}) OVER (ORDER BY {day}, {id}), lead({amount}, 2, 'none') OVER (ORDER BY {day}, {id}) FROM {rows} ORDER BY {day}, {id}",
  "SELECT * FROM (SELECT {id}, {kind}, row_number() OVER (PARTITION BY {kind} ORDER BY {id}) AS at FROM {rows}) WHERE at <= 2",
  "WITH top AS (SELECT {owner}, sum({amount}) AS sum FROM {rows} GROUP BY {owner}) SELECT * FROM top ORDER BY sum DESC, {owner} LIMIT 5",
  "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 25) SELECT i, (SELECT count(*) FROM {rows} WHERE {amount} > i) FROM n",
  "SELECT strftime('%Y-%m', {day}) AS month, count(*), round(avg({amount}), 2) FROM {rows} GROUP BY month ORDER BY month",
  "SELECT strftime('%w', {day}) AS weekday, count(*) FROM {rows} GROUP BY 1 ORDER BY 2 DESC, 1",
  "SELECT {id}, julianday({day}) - julianday('2024-01-01') AS days FROM {rows} ORDER BY days, {id}",
  "SELECT CASE WHEN {amount} IS NULL THEN 'none' WHEN {amount} > 10 THEN 'high' ELSE 'low' END AS band, count(*) FROM {rows} GROUP BY band",
  "SELECT {kind}, group_concat({id}, '-') FROM (SELECT * FROM {rows} ORDER BY {id}) GROUP BY {kind}",
  "SELECT {id}, typeof({amount}), typeof({label}), {amount} FROM {rows} ORDER BY typeof({amount}), {id}",
  "SELECT {id}, coalesce({label}, 'nothing'), ifnull({kind}, '-') FROM {rows} ORDER BY 2, 1",
  "SELECT upper({kind}), lower({ownerName}), length({ownerName}) FROM {rows} JOIN {owners} USING ({owner}) ORDER BY 1, 2, {id}",
  "SELECT {kind} FROM {rows} UNION SELECT {ownerName} FROM {owners} ORDER BY 1",
  "SELECT {kind} FROM {rows} EXCEPT SELECT {kind} FROM {rows} WHERE {amount} > 12",
  "SELECT {owner} FROM {rows} INTERSECT SELECT {owner} FROM {owners}",
  "SELECT {id} FROM {rows} UNION ALL SELECT {owner} FROM {owners}",
  "SELECT max({amount}), {id}, {day} FROM {rows}",
  "SELECT {kind}, min({day}), {id} FROM {rows} GROUP BY {kind} ORDER BY {kind} NULLS LAST",
  "SELECT {id}, {amount} * 1.1, {amount} / 3, {amount} % 3, -{amount}, {amount} || '' FROM {rows}",
  "SELECT {id} FROM {rows} WHERE {day} BETWEEN '2023-03-01' AND '2024-06-30' ORDER BY {day} DESC, {id} DESC",
  "SELECT count(*) FILTER (WHERE {amount} IS NULL), sum(iif({amount} > 5, 1, 0)) FROM {rows}",
  "SELECT a.{id}, b.{id} FROM {rows} a JOIN {rows} b ON a.{owner} = b.{owner} AND a.{id} < b.{id} AND a.{day} = b.{day}",
  "SELECT {amount}, {amount} FROM {rows} GROUP BY {amount} HAVING count(*) > 1 ORDER BY {amount} DESC",
  "SELECT json_group_array({id}), json_object('kind', {kind}) FROM {rows} GROUP BY {kind} ORDER BY 2",
  "SELECT {id}, printf('%.2f', {amount}), hex({label}), quote({amount}) FROM {rows} ORDER BY {amount} ASC NULLS LAST, {id}",
  'SELECT count(*) FROM {rows} WHERE {kind} = "eco" OR {kind} IN ("mg", "novel") OR {label} LIKE "note 1%"',
  "SELECT ntile(4) OVER (ORDER BY {amount}, {id}) AS quarter, {id} FROM {rows} ORDER BY quarter, {id}",
  "SELECT {kind}, 100.0 * count(*) / (SELECT count(*) FROM {rows}) AS share FROM {rows} GROUP BY {kind} ORDER BY share DESC, {kind}",
  "SELECT missing_column FROM {rows}",
];

const OWN = Object.entries(SCHEMAS).map(([name, { sql, parts }]): GoldSet => ({
  name,
  queries: QUERIES.map((query) => query.replaceAll(/\{(\w+)\}/g, (_, part: string) => parts[part as keyof typeof parts])), // each mark names one
  create(file) {
    using db = new DatabaseSync(file);
    db.exec(sql);
  },
}));

describe.each([...OWN, ...publicSets()])("$name", ({ name, queries, create }) => {
  let folder: TempFolder;
  let wired: TestConnection;
  let peer: DatabaseSync;
  beforeAll(async () => {
    folder = tempFolder();
    const file = folder.at(`${name}.db`);
    create(file);
    peer = new DatabaseSync(file, { readOnly: true, enableDoubleQuotedStringLiterals: true });
    wired = await connectTo(targetOf({ files: [file], readOnly: true }));
  });
  afterAll(async () => {
    peer.close();
    await wired[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test.each(queries)("%s", async (query) => {
    const expected = askPeer(peer, query);
    const outcome = await askServer(wired, { query });
    // Messages are longer here.
    if ("error" in expected) expect(outcome, expected.error).toHaveProperty("error");
    else expect(outcome).toEqual(expected);
  });
});
