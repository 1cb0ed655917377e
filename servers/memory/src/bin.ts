#!/usr/bin/env node
// oarlock-memory [options] starts the server; with a command, such as export or hooks, it runs that.
import "@oarlock/server-kit/stdout"; // first: what other modules print while they load goes to stderr
import { dirname } from "node:path";
import { cli, refuseForeignFiles, refuseNetworkFiles, requireNode, StartError } from "@oarlock/cli";
import { loadAddon, MissingAddonError, requireAddon } from "./addons.ts";
import { findCommand } from "./commands/command-line.ts";
import { configuredEmbeddings } from "./configured-embeddings.ts";
import { hintAtOldFiles, isInPostgres, locate } from "./configured-location.ts";
import { flags } from "./flags.ts";
import { MINIMAL_TOOLS } from "./host/minimal-tools.ts";
import { ConfigurationError } from "./configured-embeddings.ts";
import { LocationError } from "./graph/location.ts";
import { parseRetention } from "./graph/rows/durations.ts";
import { isDynamic } from "./scopes/scope-name.ts";
import { checkScope, startScope } from "./scopes/start-scope.ts";
import { createServer, version } from "./server.ts";

const NODES_REMEDY = "Use --db postgres://…, or keep it on a local disk and run all nodes on that host.";
const NODES_WARNING =
  "The memory is a file of this host: nodes on other hosts have another memory. Run all nodes here, or use --db postgres://….";

requireNode("oarlock-memory");

/** Throws a StartError for a folder that cannot be kept as a mirror. */
async function checkNotes(mirror: string, { readOnly, scope }: { readOnly: boolean; scope: string | undefined }): Promise<void> {
  if (isDynamic(scope)) throw new StartError("--mirror needs one memory, not one for each user or project. Name it with --scope.", 2);
  if (readOnly) throw new StartError("--mirror brings changes of notes into the memory, which --read-only forbids. Remove one of them.", 2);
  const { checkFolder } = await loadAddon("notes", "--mirror");
  await checkFolder(mirror).catch((error: unknown) => {
    throw new StartError(error instanceof Error ? error.message : String(error), 3);
  });
}

/** Throws a StartError for another text than a duration. */
function retentionOf(text: string): number {
  const milliseconds = parseRetention(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new StartError(`--keep-history ${JSON.stringify(text)} not understood: a duration such as 12h, 30d, 6mo or 1y is expected.`, 2);
}

/** Files and folders by which another user could write into the memory; memories of scopes lie in the same folder. Throws a StartError for a memory in Postgres, where facts have no owner. */
function placesOf(location: ReturnType<typeof locate>, notes: string | undefined): string[] {
  if (isInPostgres(location))
    throw new StartError("--lockdown cannot be kept for a memory in Postgres, which does not show who wrote a fact. Remove it.", 2);
  const { database, mirror } = location;
  const files = [database, `${database}-wal`, dirname(database), mirror, notes];
  return files.filter((path) => path !== undefined && path !== ":memory:") as string[];
}

const commandLine = findCommand(process.argv.slice(2));

/** Commands of every server. */
const SHARED_COMMANDS = ["doctor", "install", "uninstall"];

if (commandLine !== undefined && !SHARED_COMMANDS.includes(commandLine.command)) {
  void import("./commands/run.ts").then(async ({ run }) => {
    process.exitCode = await run(commandLine.command, commandLine.args);
  });
} else {
  void cli({
    name: "oarlock-memory",
    version,
    summary: `a knowledge graph that remembers, for Model Context Protocol hosts
Commands: import, export, verify, compact, inspect, digest, inbox, users, backup, restore, move, hooks (see export --help)`,
    hostEntry: "memory",
    serverJson: new URL("../server.json", import.meta.url),
    minimal: MINIMAL_TOOLS,
    flags,
    async doctor({ db, mirror, embeddingsKeyFile, readOnly }, _positionals, { env }) {
      const { checkMachine } = await import("./doctor.ts");
      return await checkMachine({ db, mirror, embeddingsKeyFile, readOnly, env });
    },
    async create(
      { db, mirror, scope: given, readScope, oauthIssuer, keepHistory, ...options },
      _positionals,
      { env, log, watchStores, reportStore },
    ) {
      const { readOnly, allowPurge, lean, maxResultBytes, http, backplane, ranking } = options;
      const warn = (message: string): void => log("warning", message);
      try {
        const location = locate(db, env, readOnly);
        if (options.lockdown) refuseForeignFiles(placesOf(location, mirror));
        const embeddings = configuredEmbeddings(options, location);
        if (embeddings !== undefined) requireAddon("embeddings", "--embeddings");
        const scope = startScope({ given, location, hasUsers: http && oauthIssuer !== undefined, warn });
        hintAtOldFiles(location, env, (message) => log("notice", message));
        if (http && backplane !== undefined && !isInPostgres(location)) {
          if (!readOnly) refuseNetworkFiles([location.database], NODES_REMEDY);
          warn(NODES_WARNING);
        }
        for (const name of readScope) await checkScope(location, name, true);
        await checkScope(location, isDynamic(scope) ? undefined : scope, readOnly);
        if (mirror !== undefined) await checkNotes(mirror, { readOnly, scope });
        if (options.opsPort !== undefined && !isInPostgres(location))
          watchStores([
            {
              file: location.database,
              write: !readOnly,
              keepsFile: true,
              maxFormat: (await import("./graph/sqlite/tables.ts")).FORMAT_VERSION,
            },
          ]);
        const keepHistoryMs = keepHistory === undefined ? undefined : retentionOf(keepHistory);
        const report = (message: string): void => log("notice", message);
        const own = { location, mirror, scope, readScopes: readScope, embeddings, keepHistoryMs, report, ranking };
        return createServer({ ...own, readOnly, allowPurge, lean, maxResultBytes, openSoon: true, warn, onFault: reportStore });
      } catch (error) {
        if (error instanceof ConfigurationError || error instanceof MissingAddonError) throw new StartError(error.message, 2);
        if (error instanceof LocationError) throw new StartError(error.message, error.isEnvironment ? 3 : 2);
        throw error;
      }
    },
  });
}
