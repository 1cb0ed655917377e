#!/usr/bin/env node
// oarlock-memory [options] starts the server; oarlock-memory import|export|verify|compact runs a command.
import { cli, requireNode, StartError } from "@oarlock/cli";
import { findCommand } from "./commands/command-line.ts";
import { hintAtOldFiles, locate } from "./configured-location.ts";
import { flags } from "./flags.ts";
import { LocationError } from "./graph/location.ts";
import { createServer, version } from "./server.ts";

requireNode("oarlock-memory");

const commandLine = findCommand(process.argv.slice(2));

if (commandLine !== undefined) {
  void import("./commands/run.ts").then(async ({ run }) => {
    process.exitCode = await run(commandLine.command, commandLine.args);
  });
} else {
  void cli({
    name: "oarlock-memory",
    version,
    summary: `a knowledge graph that remembers, for Model Context Protocol hosts
Commands: import FILE, export, verify, compact (see export --help)`,
    serverJson: new URL("../server.json", import.meta.url),
    flags,
    create({ db, readOnly, allowPurge, lean, maxResultBytes }, _positionals, { env, log }) {
      try {
        const location = locate(db, env, readOnly);
        hintAtOldFiles(location, env, (message) => log("notice", message));
        const warn = (message: string): void => log("warning", message);
        return createServer({ location, readOnly, allowPurge, lean, maxResultBytes, openSoon: true, warn });
      } catch (error) {
        if (error instanceof LocationError) throw new StartError(error.message, error.isEnvironment ? 3 : 2);
        throw error;
      }
    },
  });
}
