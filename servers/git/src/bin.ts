#!/usr/bin/env node
// oarlock-git [options] [PATH…]
import { cli, requireNode, StartError } from "@oarlock/cli";
import { flags } from "./flags.ts";
import { createServer, version } from "./server.ts";
import { isProgram } from "./repo/process/git-program.ts";
import { wallsOf } from "./repo/safety/sandbox-configuration.ts";

requireNode("oarlock-git");

/** None that runs a program named in an address. */
const PROTOCOLS: readonly string[] = ["https", "http", "ssh", "git", "file"];

void cli({
  name: "oarlock-git",
  version,
  summary: "the git repositories that you name, for Model Context Protocol hosts",
  things: { usage: "PATH…", help: "a repository to serve, as with --repository; without any: the one around the working directory" },
  flags,
  unnamed({ repository, repositoriesRoot }) {
    return repository.length + repositoriesRoot.length > 0 ? [] : wallsOf({ repositories: [], roots: [] }).walls.map(({ real }) => real);
  },
  async create({ repository, repositoriesRoot, verbose, veryVerbose, ...options }, things, { env, log }) {
    const unknown = options.protocols.find((name) => !PROTOCOLS.includes(name));
    if (unknown !== undefined)
      throw new StartError(`Unknown protocol "${unknown}" in --protocols: the protocols are ${PROTOCOLS.join(", ")}`, 2);
    if (options.git !== undefined && !isProgram(options.git)) throw new StartError(`--git names no program: ${options.git}`, 3);
    const named = [...repository, ...things];
    const { server, walls, git } = await createServer({ ...options, repositories: named, repositoriesRoots: repositoriesRoot, env });
    const [part] = walls.parts;
    if (part !== undefined) throw new StartError(`${part.path} is a folder inside a repository: name its top, ${part.top}`, 2);
    if (git === undefined) throw new StartError("git was not found: install it, or name it with --git FILE", 3);
    for (const { path, why } of walls.skipped) log("warning", `Cannot serve ${path}, skipping: ${WHY[why]}`);
    if (walls.skipped.length > 0 && walls.walls.length === 0)
      throw new StartError("None of the repositories can be served: name one that exists and may be read", 3);
    if (walls.walls.length === 0)
      log(
        "warning",
        "No repository was named and the working directory is in none: nothing is served. Start with: oarlock-git --repository PATH",
      );
    if (verbose || veryVerbose)
      for (const { given, kind } of walls.walls)
        log("notice", kind === "root" ? `Serving the repositories below ${given}` : `Serving ${given}`);
    return server;
  },
});

const WHY = {
  missing: "it does not exist",
  "not-a-folder": "it is not a directory",
  "no-access": "it may not be read",
  "not-a-repository": "it is not a git repository",
} as const;
