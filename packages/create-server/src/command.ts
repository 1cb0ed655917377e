// The command create-server: arguments, variables and a terminal in, the text for stdout out.
import type { Readable, Writable } from "node:stream";
import { parseArguments } from "./arguments.ts";
import { bundledKitVersion, bundledServers, runsFromClone, version } from "./bundled-files.ts";
import { helpText, nextSteps } from "./messages.ts";
import { resolveOptions } from "./options.ts";
import { projectFiles } from "./project-files.ts";
import { promptForMissing } from "./prompts.ts";
import { checkFolder, writeFolder } from "./write-folder.ts";

/** What the command uses of its process. */
export interface CommandProcess {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  cwd(): string;
}

/** Writes the new server, or prints help. Throws a CommandError. */
export async function runCommand(on: CommandProcess): Promise<string> {
  const given = parseArguments(on.argv.slice(2), on.env);
  if (given.help) return helpText({ servers: bundledServers(), kit: bundledKitVersion("template") });
  if (given.version) return `${version()}\n`;
  const cwd = on.cwd();
  const complete = on.stdin.isTTY === true ? await promptForMissing(given, on.stdin, on.stderr) : given;
  const options = resolveOptions(complete, { servers: bundledServers(), cwd });
  checkFolder(options.folder);
  const files = projectFiles(options);
  writeFolder(options.folder, files);
  return nextSteps(options, { files: files.size, cwd, needsTarballs: options.kit === undefined && runsFromClone() });
}
