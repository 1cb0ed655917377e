#!/usr/bin/env node
// oarlock-sqlite [options] [NAME=]FILE…
import { cli, requireNode } from "@oarlock/cli";
import { flags } from "./flags.ts";
import { insightsFile } from "./insights.ts";
import { changePath, findServedFiles } from "./served-files.ts";
import { createServer, version } from "./server.ts";

requireNode("oarlock-sqlite");

void cli({
  name: "oarlock-sqlite",
  version,
  summary: "SQLite databases, for Model Context Protocol hosts",
  positionals: { usage: "[NAME=]FILE…", help: "a database to serve, read-only unless --read-write is given", path: changePath },
  serverJson: new URL("../server.json", import.meta.url),
  flags,
  async create({ dbPath, readWrite, readOnly, lean, insights, queries: file, maxResultBytes, timeout, ...options }, positionals, { log }) {
    const { databases, skipped } = findServedFiles({ positionals, dbPath, readWrite, readOnly });
    const { confirmAbove, allowDestructive, filesDir, toolsets, tools } = options;
    const hasQueries = file !== undefined || toolsets.includes("queries");
    const loaded = hasQueries ? (await import("./queries/query-file.ts")).loadQueries({ file, databases, toolsets, tools }) : undefined;
    const { server } = createServer({
      databases,
      maxTimeoutMs: timeout,
      maxResultBytes,
      confirmAbove,
      allowDestructive,
      lean,
      ...(filesDir !== undefined && { filesDir }),
      insights: () => insights ?? insightsFile(databases.map((database) => database.file)),
      ...(loaded !== undefined && { queries: loaded.queries }),
    });
    // A query whose name is taken by a tool must stop the start, so all tools are loaded now.
    if (hasQueries) await server.ready();
    for (const reason of skipped) log("warning", `Skipped: ${reason}`);
    for (const warning of loaded?.warnings ?? []) log("warning", warning);
    for (const { name, write } of databases) if (write) log("notice", `${name} is served for reading and writing`);
    return server;
  },
});
