// The same calls to @modelcontextprotocol/server-filesystem 2026.8.31 and to ours, in identical folders: the same texts and the same
// tree afterwards, but for the deviations that are listed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { official, ours, textsOf, type Played, type Side } from "./pair.ts";
import type { Difference, Row } from "./row.ts";
import { TABLES } from "./tables.ts";

let pair: { theirs: Side; ours: Side };

beforeAll(async () => {
  pair = { theirs: official(), ours: ours() };
  await Promise.all([pair.theirs.start(), pair.ours.start()]);
});

afterAll(async () => {
  await pair.theirs[Symbol.asyncDispose]();
  await pair.ours[Symbol.asyncDispose]();
});

describe.each(Object.entries(TABLES))("parity run, %s", (_, rows) => {
  test.each(rows.map((row) => [row.does, row] as const))("matches %s", async (_does, row) => {
    const [theirs, own] = await Promise.all([pair.theirs.play(row), pair.ours.play(row)]);
    if (row.differs === undefined) agree(theirs, own);
    else differ(row, row.differs, theirs, own);
  });
});

function agree(theirs: Played, own: Played): void {
  expect(own.answers).toEqual(theirs.answers);
  expect(own.tree).toEqual(theirs.tree);
}

function differ(row: Row, { by, ours: replyText, refusing, leaves }: Difference, theirs: Played, own: Played): void {
  expect({ ...own, folder: "" }, `this row agrees: it is not a case of "${by}" any more`).not.toEqual({ ...theirs, folder: "" });
  const [mine, other] = [own.answers.at(-1)!, theirs.answers.at(-1)!];
  const received = mine.text === "" && mine.blocks !== '[{"type":"text","text":""}]' ? mine.blocks : mine.text;
  if (typeof replyText === "string") expect(received).toBe(replyText);
  else expect(received).toMatch(replyText);
  expect(mine.isError).toBe(refusing === "both" || refusing === "ours at least");
  if (refusing !== "ours at least") expect(other.isError).toBe(refusing === "both" || refusing === "the other");
  // What is refused leaves everything as it was.
  if (refusing === "both") expect(own.tree).toEqual(theirs.tree);
  if (leaves !== undefined) expect(textsOf(own.folder, Object.keys(leaves))).toEqual(leaves);
  void row;
}
