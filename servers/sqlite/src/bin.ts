#!/usr/bin/env node
// oarlock-sqlite [options] [NAME=]FILE…
import { cli, requireNode } from "@oarlock/cli";
import { flags } from "./flags.ts";
import { insightsFile } from "./insights.ts";
import { pathWithin, servedBy } from "./served-files.ts";
import { createServer, version } from "./server.ts";

requireNode("oarlock-sqlite");

void cli({
  name: "oarlock-sqlite",
  version,
  summary: "SQLite databases, for Model Context Protocol hosts",
  positionals: { usage: "[NAME=]FILE…", help: "a database to serve, for reading unless --read-write is given", path: pathWithin },
  flags,
  async create({ dbPath, readWrite, readOnly, insights, queries: file, maxResultBytes, timeout, ...options }, positionals, { log }) {
    const { served, skipped } = servedBy({ things: positionals, dbPath, readWrite, readOnly });
    const { confirmAbove, allowDestructive, filesDir, toolsets, tools } = options;
    const named = file !== undefined || toolsets.includes("queries");
    const found = named ? (await import("./queries/query-file.ts")).queriesFor({ file, served, toolsets, tools }) : undefined;
    const { server } = createServer({
      databases: served,
      longestMs: timeout,
      maxResultBytes,
      confirmAbove,
      allowDestructive,
      ...(filesDir !== undefined && { filesDir }),
      insights: () => insights ?? insightsFile(served.map((one) => one.file)),
      ...(found !== undefined && { queries: found.queries }),
    });
    // Whether a name is taken shows when all tools are there.
    if (named) await server.ready();
    for (const why of skipped) log("warning", `Skipped: ${why}`);
    for (const why of found?.warnings ?? []) log("warning", why);
    for (const { name, write } of served) if (write) log("notice", `${name} is served for reading and writing`);
    return server;
  },
});
