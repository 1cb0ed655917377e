#!/usr/bin/env node
// The command oarlock-git [options] [PATH…].
import "@oarlock/server-kit/stdout"; // first: what other modules print while they load goes to stderr
import { cli, nothingServed, requireNode, StartError } from "@oarlock/cli";
import { flags } from "./flags.ts";
import { MINIMAL_TOOLS } from "./host/minimal-tools.ts";
import { createServer, version } from "./server.ts";
import { isProgram } from "./repo/process/git-program.ts";
import { configureSandbox, type SandboxConfiguration } from "./repo/safety/sandbox-configuration.ts";
import { SKIP_REASONS, SKIP_REMEDIES } from "./skip-reasons.ts";

const NODES_NOTICE = "Each node serves the repositories of its own host: mount the same ones at the same paths on every node.";

requireNode("oarlock-git");

/** Protocols that start no program named in an address. */
const PROTOCOLS: readonly string[] = ["https", "http", "ssh", "git", "file"];

void cli({
  name: "oarlock-git",
  version,
  summary: "the git repositories that you name, for Model Context Protocol hosts",
  hostEntry: "git",
  positionals: { usage: "PATH…", help: "a repository to serve, as with --repository; default: the one around the working directory" },
  serverJson: new URL("../server.json", import.meta.url),
  minimal: MINIMAL_TOOLS,
  flags,
  defaultPositionals({ repository, repositoriesRoot }) {
    return repository.length + repositoriesRoot.length > 0
      ? []
      : configureSandbox({ repositories: [], roots: [] }).folders.map(({ real }) => real);
  },
  async doctor({ repository, repositoriesRoot, git, readOnly, trust }, positionals, { env }) {
    const { checkMachine } = await import("./doctor.ts");
    const repositories = [...repository, ...positionals];
    return checkMachine({ repositories, repositoriesRoots: repositoriesRoot, git, readOnly, trust, env });
  },
  async create({ repository, repositoriesRoot, verbose, veryVerbose, ...options }, positionals, { env, stateKeys, log }) {
    const unknown = options.protocols.find((name) => !PROTOCOLS.includes(name));
    if (unknown !== undefined)
      throw new StartError(`Unknown protocol "${unknown}" in --protocols: the protocols are ${PROTOCOLS.join(", ")}`, 2);
    if (options.git !== undefined && !isProgram(options.git))
      throw new StartError(`--git ${options.git} is not an executable file: name the git program`, 3);
    const named = [...repository, ...positionals];
    const { server, sandbox, git } = await createServer({
      ...options,
      switches: options,
      repositories: named,
      repositoriesRoots: repositoriesRoot,
      env,
      stateKeys,
    });
    const [part] = sandbox.partial;
    if (part !== undefined) throw new StartError(`${part.path} is a folder inside a repository: name its top, ${part.top}`, 2);
    if (git === undefined) throw new StartError("git was not found: install it, or name the program with --git FILE", 3);
    reportSkipped(sandbox, log);
    if (options.http && options.backplane !== undefined) log("notice", NODES_NOTICE);
    if (verbose || veryVerbose)
      for (const { given, kind } of sandbox.folders)
        log("notice", kind === "root" ? `Serving the repositories below ${given}` : `Serving ${given}`);
    return server;
  },
});

/** Warns of folders that cannot be served. Throws where none is left: the error names all of them, so they get no warnings. */
function reportSkipped({ folders, skipped }: SandboxConfiguration, log: (level: "warning", text: string) => void): void {
  if (folders.length === 0 && skipped.length > 0)
    throw nothingServed(
      "repository",
      skipped.map(({ path, reason }) => ({ path, reason: SKIP_REASONS[reason], remedy: SKIP_REMEDIES[reason] })),
    );
  for (const { path, reason } of skipped) log("warning", `Cannot serve ${path}, skipping: ${SKIP_REASONS[reason]}`);
  if (folders.length > 0) return;
  log(
    "warning",
    "No repository was named and the working directory is not in one: nothing is served. Start with: oarlock-git --repository PATH",
  );
}
