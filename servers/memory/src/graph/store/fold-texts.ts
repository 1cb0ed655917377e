// An upgrade: texts whose folded form is another one than it was before version 4 are indexed again, and keys of names computed anew.
import type { Database } from "better-sqlite3";
import type { TextKind } from "../rows/texts.ts";
import { positionOf } from "../text-index/index-positions.ts";
import { shortGrams, trigramText } from "../text-index/ngrams.ts";
import { fold, similarityKey } from "../text-index/normalization.ts";

const foldBefore = (text: string): string => text.toLowerCase();

/** ASCII is folded as it was. GLOB ends a text at a NUL. */
const mayDiffer = (column: string): string => `(${column} GLOB '*[^' || char(1) || '-' || char(127) || ']*' OR instr(${column}, char(0)))`;

const INDEXED: Readonly<Record<TextKind, string>> = {
  type: `SELECT id, name AS text FROM type WHERE ${mayDiffer("name")}`,
  name: `SELECT id, name AS text FROM entity WHERE ended IS NULL AND id <= (SELECT name FROM indexed) AND ${mayDiffer("name")}`,
  observation: `SELECT id, text FROM observation WHERE ended IS NULL AND id <= (SELECT observation FROM indexed) AND ${mayDiffer("text")}`,
};

export function foldTextsAgain(db: Database): void {
  for (const [kind, select] of Object.entries(INDEXED) as [TextKind, string][]) indexAgain(db, kind, select); // its keys
  const update = db.prepare("UPDATE entity SET key = ? WHERE id = ?");
  for (const { id, name, key } of db.prepare<[], NamedRow>(`SELECT id, name, key FROM entity WHERE ${mayDiffer("name")}`).all())
    if (similarityKey(name) !== key) update.run(similarityKey(name), id);
}

interface NamedRow {
  readonly id: number;
  readonly name: string;
  readonly key: string;
}

function indexAgain(db: Database, kind: TextKind, select: string): void {
  const change = (table: string) => ({
    remove: db.prepare(`INSERT INTO ${table} (${table}, rowid, text) VALUES ('delete', ?, ?)`),
    add: db.prepare(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`),
  });
  const [trigram, gram] = [change("trigram"), change("gram")];
  for (const { id, text } of db.prepare<[], { id: number; text: string }>(select).all()) {
    if (foldBefore(text) === fold(text)) continue;
    const position = positionOf(kind, id);
    trigram.remove.run(position, trigramText(text, foldBefore));
    trigram.add.run(position, trigramText(text));
    const [before, now] = [shortGrams(text, foldBefore), shortGrams(text)];
    if (before !== "") gram.remove.run(position, before);
    if (now !== "") gram.add.run(position, now);
  }
}
