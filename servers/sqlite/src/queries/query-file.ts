// The named queries at the start: loaded only where a switch speaks of them, and whatever is wrong with them ends the start.
import { readFileSync, statSync } from "node:fs";
import { StartError } from "@oarlock/cli";
import type { Served } from "../db/databases.ts";
import { DbError } from "../db/errors.ts";
import { queriesIn, type Found } from "./metadata.ts";
import { TOOLSET, type NamedQuery } from "./named-query.ts";

const MOST_BYTES = 4 * 1024 * 1024;

interface Given {
  /** Of `--queries`. */
  readonly file: string | undefined;
  readonly served: readonly Served[];
  readonly toolsets: readonly string[];
  readonly tools: readonly string[];
}

export interface Started {
  readonly queries: readonly NamedQuery[];
  /** What the operator should know once the server has started. */
  readonly warnings: readonly string[];
}

export function queriesFor({ file, served, toolsets, tools }: Given): Started {
  if (file === undefined) throw new StartError("--toolsets queries needs --queries FILE: name the file that holds the queries", 2);
  const names = served.map(({ name }) => name);
  const { queries, skipped } = explained(file, () => queriesIn(textOf(file), names));
  const out = skipped.map((why) => `Skipped: ${why}`);
  if (queries.length === 0) throw new StartError([`--queries ${file} has no query that reads ${names.join(" or ")}`, ...out].join("; "), 2);
  const offered = toolsets.includes(TOOLSET) || (toolsets.length === 0 && tools.length > 0);
  return { queries, warnings: offered ? out : [...out, "--queries has no effect without --toolsets default,queries"] };
}

function textOf(file: string): string {
  const stat = statSync(file);
  if (!stat.isFile()) throw new DbError("not-found", "it is not an ordinary file");
  if (stat.size > MOST_BYTES) throw new DbError("too-large", `it has ${stat.size} bytes; at most ${MOST_BYTES} are taken`);
  return readFileSync(file, "utf8");
}

function explained(file: string, act: () => Found): Found {
  try {
    return act();
  } catch (error) {
    if (error instanceof DbError) throw new StartError(`--queries ${file}: ${error.message}`, 2);
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new StartError(`--queries ${file} cannot be read (${code}): name a file of JSON`, 2);
  }
}
