#!/usr/bin/env node
// oarlock-sqlite [options] [NAME=]FILE…
import "@oarlock/server-kit/stdout"; // first: what other modules print while they load goes to stderr
import { existsSync, realpathSync } from "node:fs";
import { cli, refuseNetworkFiles, requireFileOwners, requireNode } from "@oarlock/cli";
import { flags } from "./flags.ts";
import { MINIMAL_TOOLS } from "./host/minimal-tools.ts";
import { insightsFile } from "./insights-file.ts";
import { changePath, findServedFiles } from "./served-files.ts";
import { createServer, version } from "./server.ts";

const NODES_REMEDY = "Keep it on a local disk and run all nodes on that host, serve it without --read-write, or remove --backplane.";
const NODES_WARNING = "Databases are files of this host: run all nodes on it and serve the same files at the same paths.";

requireNode("oarlock-sqlite");

void cli({
  name: "oarlock-sqlite",
  version,
  summary: "SQLite databases, for Model Context Protocol hosts",
  hostEntry: "sqlite",
  positionals: { usage: "[NAME=]FILE…", help: "a database to serve, read-only unless --read-write is given", path: changePath },
  serverJson: new URL("../server.json", import.meta.url),
  minimal: MINIMAL_TOOLS,
  flags,
  async doctor({ dbPath, readWrite, readOnly, lockdown, queries, filesDir }, positionals) {
    const { checkMachine } = await import("./doctor.ts");
    return checkMachine({ positionals, dbPath, readWrite, readOnly, lockdown, queries, filesDir });
  },
  async create(
    { dbPath, readWrite, readOnly, lockdown, lean, insights, queries: file, maxResultBytes, timeout, ...options },
    positionals,
    { stateKeys, log, auditNames, watchStores, reportStore },
  ) {
    requireFileOwners(lockdown);
    const { databases, skipped } = findServedFiles({ positionals, dbPath, readWrite, readOnly, lockdown });
    const { confirmAbove, allowDestructive, filesDir, toolsets, tools } = options;
    const hasNodes = options.http && options.backplane !== undefined;
    if (hasNodes)
      refuseNetworkFiles(
        databases.filter(({ write }) => write).map(({ file: path }) => path),
        NODES_REMEDY,
      );
    // Links that are there now are the operator's.
    const notes = insights !== undefined && existsSync(insights) ? realpathSync(insights) : insights;
    const hasQueries = file !== undefined || toolsets.includes("queries");
    const loaded = hasQueries ? (await import("./queries/query-file.ts")).loadQueries({ file, databases, toolsets, tools }) : undefined;
    const { server } = createServer({
      databases,
      maxTimeoutMs: timeout,
      maxResultBytes,
      confirmAbove,
      allowDestructive,
      lockdown,
      lean,
      switches: { toolsets, tools, readOnly },
      stateKeys,
      onDamage: (path) => reportStore(path, "damaged"),
      ...(filesDir !== undefined && { filesDir }),
      insights: () => notes ?? insightsFile(databases.map((database) => database.file)),
      ...(loaded !== undefined && { queries: loaded.queries }),
    });
    watchStores(databases);
    if (options.audit !== undefined) auditNames((await import("./audited-names.ts")).auditedNames(databases));
    // A query whose name is taken by a tool must stop the start, so all tools are loaded now.
    if (hasQueries) await server.ready();
    if (hasNodes) log("warning", NODES_WARNING);
    for (const reason of skipped) log("warning", `Skipped: ${reason}`);
    for (const warning of loaded?.warnings ?? []) log("warning", warning);
    for (const { name, file, write } of databases) {
      // Otherwise a mistyped path becomes a new, empty database without a word.
      const isNew = existsSync(file) ? "" : `; ${file} does not exist yet, and the first call creates it`;
      if (write) log("notice", `${name} is served for reading and writing${isNew}`);
    }
    return server;
  },
});
