#!/usr/bin/env node
// oarlock-memory [options], or oarlock-memory import|export|verify|compact
import { cli, requireNode, StartError } from "@oarlock/cli";
import { flags } from "./flags.ts";
import { LocationError } from "./graph/location.ts";
import { hintAtOldFiles, locate } from "./configured-location.ts";
import { createServer, version } from "./server.ts";

requireNode("oarlock-memory");

const [command = "", ...args] = process.argv.slice(2);

// The server takes switches only: any other word is a command, or was meant to be one.
if (command !== "" && !command.startsWith("-")) {
  void import("./commands/run.ts").then(async ({ run }) => {
    process.exitCode = await run(command, args);
  });
} else {
  void cli({
    name: "oarlock-memory",
    version,
    summary: `a knowledge graph that remembers, for Model Context Protocol hosts
Commands: import FILE, export, verify, compact (export --help tells of them)`,
    flags,
    create({ db, readOnly, allowPurge, maxResultBytes }, _things, { env, log }) {
      try {
        const location = locate(db, env, readOnly);
        hintAtOldFiles(location, env, (message) => log("notice", message));
        return createServer({ location, readOnly, allowPurge, maxResultBytes, wake: true, warn: (message) => log("warning", message) });
      } catch (error) {
        if (error instanceof LocationError) throw new StartError(error.message, error.isEnvironment ? 3 : 2);
        throw error;
      }
    },
  });
}
