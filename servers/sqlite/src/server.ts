// The SQLite server: a table of what it offers.
import { defineServer, type Server } from "@oarlock/server-kit";
import { childFile } from "./child-file.ts";
import { Databases, type Served } from "./db/databases.ts";
import { Insights } from "./insights.ts";
import type { Parts } from "./dependencies.ts";
import type { NamedQuery } from "./queries/named-query.ts";

export interface Options {
  /** The databases, by name and absolute path. */
  databases: readonly Served[];
  /** No statement runs longer, in milliseconds. Default 120,000. */
  longestMs?: number;
  /** The most that one reply may weigh, in bytes. Default 2,500,000. */
  maxResultBytes?: number;
  /** DELETE and UPDATE of more rows ask the user first. Default 100. */
  confirmAbove?: number;
  /** DROP, and DELETE and UPDATE of many rows, go on without a question. Default false. */
  allowDestructive?: boolean;
  /** The file that insights are kept in. Left out: they last as long as the server. */
  insights?: () => string;
  /** The folder for import, export and backup (toolset `files`). Default: that of each database. */
  filesDir?: string;
  /** Queries that become tools (toolset `queries`). */
  queries?: readonly NamedQuery[];
}

export const version = "0.0.0";

/**
 * Makes the server.
 * @example
 * const { server } = createServer({ databases: [{ name: "shop", file: "/home/me/shop.db", write: false }] });
 */
export function createServer(options: Options): { server: Server; databases: Databases } {
  const { longestMs = 120_000, maxResultBytes = 2_500_000, confirmAbove = 100, allowDestructive = false } = options;
  const databases = new Databases(options.databases, { script: childFile, longestMs });
  const insights = new Insights(options.insights);
  const parts: Parts = { databases, insights, maxResultBytes, confirmAbove, allowDestructive, filesDir: options.filesDir };
  const writes = options.databases.some(({ write }) => write);
  const server = defineServer({
    name: "oarlock-sqlite",
    title: "SQLite",
    version,
    instructions: writes ? READING + WRITING : READING,
    lazy: {
      load: async () => (await import("./offer.ts")).offerOf(parts, { writes, many: options.databases.length > 1 }, options.queries),
    },
    close: async () => {
      insights.close();
      await databases.close();
    },
  });
  return { server, databases };
}

const READING =
  "Work with SQLite databases: list_tables and describe_table tell what is there, read_query reads with bound params and gives pages. Replies that had to be cut say how to go on.";
const WRITING = " write_query changes data; its dry_run tells what would change.";
