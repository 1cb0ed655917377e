// What thirty typical replies of the four servers cost, beside the table in docs/hosts.md. UPDATE_DOCS=1 writes the table anew.
import { readFileSync, writeFileSync } from "node:fs";
import { connectTo, tempFolder, type Target } from "@oarlock/testing";
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { expect, test } from "vitest";
import { targetOf as filesystem } from "../../../servers/filesystem/test/support/target.ts";
import { targetOf as git } from "../../../servers/git/test/support/target.ts";
import { targetOf as memory } from "../../../servers/memory/test/support/targets.ts";
import { targetOf as sqlite } from "../../../servers/sqlite/test/support/target.ts";
import { FILES, filesystemCalls, GIT, makeProject, makeShop, MEMORY, SQLITE } from "./support/typical-calls.ts";

const PAGE = new URL("../../../docs/hosts.md", import.meta.url);
const TABLE = /(?<=<!-- replies, written by tooling\/docs\/test\/reply-tokens\.deep\.test\.ts -->\n\n).*?(?=\n\n<!-- end of replies -->)/s;
const BYTES_PER_TOKEN = 4;
/** Times differ by a few characters. */
const TOLERANCE = 3;
/** Stands for the temporary folder, whose path is shorter or longer elsewhere. */
const FOLDER = "/tmp/oarlock-123456";

test("answers thirty typical calls at the price in docs/hosts.md", async () => {
  await using folder = tempFolder({ files: FILES });
  makeProject(folder.at("project"));
  const servers: [Target, readonly (readonly [string, object])[]][] = [
    [await filesystem({ directories: [folder.at("files")] }), filesystemCalls(folder.at("files"))],
    [await git({ repositories: [folder.at("project")] }), GIT],
    [sqlite({ files: [makeShop(folder.at("shop.db"))] }), SQLITE],
    [memory({ file: folder.at("memory.db") }), MEMORY],
  ];
  const rows: [string, number, number][] = [];
  const tokensOf = (value: unknown): number => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return Math.ceil(Buffer.byteLength(text.replaceAll(folder.path, FOLDER)) / BYTES_PER_TOKEN);
  };
  for (const [target, calls] of servers) {
    await using connection = await connectTo(target);
    for (const [tool, args] of calls) {
      const { content, structuredContent, isError } = await connection.client.call(tool, { ...args });
      expect(isError, JSON.stringify(content)).toBeUndefined();
      const [text, structured] = [content.map((block) => (block.type === "text" ? block.text : "")).join("\n"), structuredContent ?? ""];
      rows.push([tool, tokensOf(text), tokensOf(structured)]);
    }
  }
  expect(rows.length).toBe(30);
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(PAGE, readFileSync(PAGE, "utf8").replace(TABLE, tableOf(rows)));
  const stored = [...(TABLE.exec(readFileSync(PAGE, "utf8"))?.[0] ?? "").matchAll(/^\| `(\w+)` \| ([\d,]+) \| ([\d,]+) \|$/gm)];
  const near = (cell = ""): unknown => expect.closeTo(Number(cell.replaceAll(",", "")), -Math.log10(2 * TOLERANCE));
  expect(rows).toEqual(stored.map(([, tool, text, structured]) => [tool, near(text), near(structured)]));
});

const tableOf = (rows: readonly (readonly [string, number, number])[]): string =>
  markdownTable(
    ["call", "text", "structured"],
    rows.map(([tool, ...tokens]) => [`\`${tool}\``, ...tokens.map((one) => one.toLocaleString("en"))]),
    { numbers: true },
  );
