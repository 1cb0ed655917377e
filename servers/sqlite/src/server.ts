// The SQLite server.
import { CursorSealer, toolsetNotice, type ToolSwitches } from "@oarlock/domain-kit";
import { defineServer, type Server } from "@oarlock/server-kit";
import { apps } from "@oarlock/extensions/apps";
import { hostHints } from "@oarlock/extensions/host-hints";
import { skills } from "@oarlock/extensions/skills";
import { childFile } from "./child-file.ts";
import type { DatabaseSpec } from "./db/database.ts";
import { Databases } from "./db/databases.ts";
import { realFolder } from "./db/real-folder.ts";
import type { Dependencies } from "./dependencies.ts";
import { Insights } from "./insights.ts";
import type { NamedQuery } from "./queries/named-query.ts";
import { hostHintsOf } from "./host/hints.ts";
import { VIEWS } from "./views.ts";

export interface Options {
  /** The databases, by name and absolute path. */
  databases: readonly DatabaseSpec[];
  /** The longest time limit that a call may ask for, in milliseconds. Default 120,000. */
  maxTimeoutMs?: number;
  /** The largest reply, in bytes. Default 2,500,000. */
  maxResultBytes?: number;
  /** A change or removal of more existing rows needs the user's confirmation. Default 100. */
  confirmAbove?: number;
  /** DROP, and changes of many rows, need no confirmation. Default false. */
  allowDestructive?: boolean;
  /** Files whose owner is neither the user of this process nor root are refused. Default false. */
  lockdown?: boolean;
  /** The tools that the operator has switched on; the instructions name the toolset that is off. */
  switches?: ToolSwitches;
  /** Rows stand only in the text of a reply, and tools have no output schema. Default false. */
  lean?: boolean;
  /** Finds the file for insights on first use. Default: insights last as long as the server. */
  insights?: () => string;
  /** The folder for import, export and backup (toolset `files`). Default: that of each database. */
  filesDir?: string;
  /** Queries to offer as tools (toolset `queries`). Default: none. */
  queries?: readonly NamedQuery[];
  /** Secrets that seal cursors, the same for all processes of one service: the first seals, all of them open. Default: a random one. */
  stateKeys?: readonly string[];
  /** Called each time that a call finds a database damaged, with its file. */
  onDamage?: (file: string) => void;
}

const NAME = "oarlock-sqlite";
export const version = "0.1.0";

/**
 * Creates the server. It opens no database before a call needs it.
 * @example
 * const { server } = createServer({ databases: [{ name: "shop", file: "/home/me/shop.db", write: false }] });
 */
export function createServer(options: Options): { server: Server; databases: Databases } {
  const { maxTimeoutMs = 120_000, maxResultBytes = 2_500_000, confirmAbove = 100, allowDestructive = false } = options;
  const filesDir = options.filesDir === undefined ? undefined : realFolder(options.filesDir);
  const databases = new Databases(options.databases, {
    script: childFile,
    maxTimeoutMs,
    lockdown: options.lockdown === true,
    onDamage: options.onDamage,
  });
  const insights = new Insights(options.insights);
  const cursors = CursorSealer.fromSecrets(options.stateKeys ?? [], NAME);
  const isWithheld = (tool: string): boolean => server.tools.withheld.has(tool);
  const limits = { maxResultBytes, confirmAbove, allowDestructive };
  const dependencies: Dependencies = { databases, insights, cursors, ...limits, filesDir, isWithheld };
  const canWrite = options.databases.some(({ write }) => write);
  const server: Server = defineServer({
    name: NAME,
    title: "SQLite",
    version,
    extensions: [
      skills({ dir: new URL("../skills", import.meta.url), base: "skill://oarlock-sqlite" }),
      apps({ views: VIEWS }),
      hostHints(hostHintsOf({ allowDestructive })),
    ],
    instructions: READING + (canWrite ? WRITING : "") + toolsetNotice([filesToolset(canWrite)], options.switches),
    lazy: {
      load: async () => {
        const { createFeatures } = await import("./offer.ts");
        const offered = { hasSeveral: options.databases.length > 1, isLean: options.lean === true };
        const features = await createFeatures(dependencies, offered, options.queries);
        // Not before: a server that cannot start would leave the process behind.
        databases.startEarly();
        return features;
      },
    },
    close: async () => {
      insights.close();
      await databases.close();
    },
  });
  if (!canWrite)
    server.tools.keep(
      ({ name }) => !CHANGING_TOOLS.includes(name),
      () => NO_CHANGES,
    );
  return { server, databases };
}

/** The tools that change a database. */
const CHANGING_TOOLS = ["write_query", "run_transaction", "create_table", "import_csv"];
const NO_CHANGES =
  "It is switched off: all databases are served read-only. The operator can start the server with --read-write, and without --read-only.";

const READING =
  "Work with SQLite databases: list_tables and describe_table show the schema, read_query reads rows in pages with bound params. Truncated replies say how to continue.";
const WRITING = " write_query changes data; its dry_run shows what would change.";
const filesToolset = (canWrite: boolean) => ({ name: "files", purpose: `${canWrite ? "CSV import, " : ""}export of a query, backup` });
