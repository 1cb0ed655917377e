// Parts of the schema that do not work here: what this SQLite does not have, views on what no longer exists, and what holds texts in double quotes.
import type Database from "better-sqlite3";
import { missingPartSentence } from "../engine/errors/missing-part-errors.ts";
import { missingParts } from "../schema/missing-parts.ts";
import { triggersWithQuotedTexts } from "../schema/quoted-texts/triggers.ts";
import { readableViews } from "../schema/quoted-texts/views.ts";
import { columnsOrError } from "../schema/schema-pragmas.ts";
import { userTables } from "../schema/table-list.ts";
import type { CutList } from "./index-check.ts";

/** Views upon views take long to compile: those that are left then are named as not checked. */
const MAX_VIEWS_MS = 2000;

export function checkSchema(db: Database.Database, cut: CutList): object {
  const missing = missingParts(db);
  const until = performance.now() + MAX_VIEWS_MS;
  const notChecked: object[] = [];
  const broken = userTables(db).flatMap(({ name, type }) => {
    if (type === "table") return [];
    if (performance.now() > until) {
      notChecked.push({ view: name, reason: `the check of views ends after ${MAX_VIEWS_MS / 1000} seconds` });
      return [];
    }
    const { error } = columnsOrError(db, name);
    return error === undefined ? [] : [{ [type === "view" ? "view" : "table"]: name, error }];
  });
  // They work all the same.
  const views = [...readableViews(db).values()].flatMap(({ name, texts }) => (texts.length === 0 ? [] : [{ view: name, texts }]));
  const triggers = triggersWithQuotedTexts(db).map(({ name, texts }) => ({ trigger: name, texts }));
  const quotedTexts = [...views, ...triggers];
  return {
    missing: cut(missing).map((part) => ({ ...part, neededBy: cut(part.neededBy), hint: missingPartSentence(part) })),
    broken: cut(broken),
    ...(notChecked.length > 0 && { notChecked: cut(notChecked) }),
    ...(quotedTexts.length > 0 && { quotedTexts: cut(quotedTexts) }),
  };
}
