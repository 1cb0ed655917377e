/** The same work as others name it. */
import type { Target } from "../target.ts";

export interface Call {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

type Dialect = Target["dialect"];

/** A statement, for those who tell reading from writing and for those who don't. */
export function statement(dialect: Dialect, does: "read" | "write", sql: string): Call {
  if (dialect === "mcp-sqlite") return { name: "query", arguments: { sql } };
  if (dialect === "dbhub") return { name: "execute_sql", arguments: { sql } };
  return { name: `${does}_query`, arguments: { query: sql, ...(does === "read" && { limit: 10_000 }) } };
}

const CYANHEADS: Readonly<Record<string, string>> = { repo_path: "path", max_count: "maxCount", path: "filePath" };

/** A call of a git tool, with the official server's names of its arguments given. `max_bytes` is ours: others refuse it. */
export function gitCall(dialect: Dialect, { name, arguments: { max_bytes, ...args } }: Call): Call {
  if (dialect !== "git-mcp-server") return { name, arguments: { ...args, ...(max_bytes !== undefined && { max_bytes }) } };
  return { name, arguments: Object.fromEntries(Object.entries(args).map(([key, value]) => [CYANHEADS[key] ?? key, value])) };
}
