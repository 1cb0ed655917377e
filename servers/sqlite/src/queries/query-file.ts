// Loads the file of --queries at the start. Any mistake in it stops the start.
import { readFileSync, statSync } from "node:fs";
import { StartError } from "@oarlock/cli";
import { systemErrorCode } from "@oarlock/domain-kit";
import type { DatabaseSpec } from "../db/database.ts";
import { DbError } from "../db/errors.ts";
import { parseMetadata, type MetadataQueries } from "./metadata.ts";
import { TOOLSET, type NamedQuery } from "./named-query.ts";

const MAX_FILE_BYTES = 4 * 1024 * 1024;

interface QueryOptions {
  /** The value of `--queries`. */
  readonly file: string | undefined;
  readonly databases: readonly DatabaseSpec[];
  readonly toolsets: readonly string[];
  readonly tools: readonly string[];
}

export interface LoadedQueries {
  readonly queries: readonly NamedQuery[];
  /** For the operator. */
  readonly warnings: readonly string[];
}

export function loadQueries({ file, databases, toolsets, tools }: QueryOptions): LoadedQueries {
  if (file === undefined) throw new StartError("--toolsets queries needs --queries FILE: name the file with the queries.", 2);
  const names = databases.map(({ name }) => name);
  const { queries, skipped } = withStartErrors(file, () => parseMetadata(readText(file), names));
  const warnings = skipped.map((reason) => `Skipped: ${reason}`);
  if (queries.length === 0)
    throw new StartError([`--queries ${file} contains no query that reads ${names.join(" or ")}`, ...warnings].join("; "), 2);
  const isOffered = toolsets.includes(TOOLSET) || (toolsets.length === 0 && tools.length > 0);
  return { queries, warnings: isOffered ? warnings : [...warnings, "--queries has no effect without --toolsets default,queries"] };
}

function readText(file: string): string {
  const stat = statSync(file);
  if (!stat.isFile()) throw new DbError("not-found", "it is not an ordinary file");
  if (stat.size > MAX_FILE_BYTES) throw new DbError("too-large", `it has ${stat.size} bytes, the limit is ${MAX_FILE_BYTES}`);
  return readFileSync(file, "utf8");
}

function withStartErrors(file: string, load: () => MetadataQueries): MetadataQueries {
  try {
    return load();
  } catch (error) {
    if (error instanceof DbError) throw new StartError(`--queries ${file}: ${error.message}`, 2);
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new StartError(`--queries ${file} cannot be read (${code}): name a JSON file.`, 2);
  }
}
