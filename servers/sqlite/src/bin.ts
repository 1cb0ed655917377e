#!/usr/bin/env node
// oarlock-sqlite [options] [NAME=]FILE…
import { cli, requireNode } from "@oarlock/server-kit/node";
import { flags } from "./flags.ts";
import { insightsFile } from "./insights.ts";
import { pathWithin, servedBy } from "./served.ts";
import { createServer, version } from "./server.ts";

requireNode("oarlock-sqlite");

void cli({
  name: "oarlock-sqlite",
  version,
  summary: "SQLite databases, for Model Context Protocol hosts",
  things: { usage: "[NAME=]FILE…", help: "a database to serve, for reading unless --read-write is given", path: pathWithin },
  flags,
  create({ dbPath, readWrite, readOnly, confirmAbove, allowDestructive, insights, filesDir, maxResultBytes, timeout }, things, { log }) {
    const { served, skipped } = servedBy({ things, dbPath, readWrite, readOnly });
    for (const why of skipped) log("warning", `Skipped: ${why}`);
    for (const { name, write } of served) if (write) log("notice", `${name} is served for reading and writing`);
    return createServer({
      databases: served,
      longestMs: timeout,
      maxResultBytes,
      confirmAbove,
      allowDestructive,
      ...(filesDir !== undefined && { filesDir }),
      insights: () => insights ?? insightsFile(served.map(({ file }) => file)),
    }).server;
  },
});
