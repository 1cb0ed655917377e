// create-server NAME: writes a new server. `npm create @oarlock/server NAME` runs it.
import { parseArguments } from "./arguments.ts";
import { bundledKitVersion, bundledServers, version } from "./bundled-files.ts";
import { CommandError } from "./command-error.ts";
import { helpText, nextSteps } from "./messages.ts";
import { resolveOptions } from "./options.ts";
import { projectFiles } from "./project-files.ts";
import { promptForMissing } from "./prompts.ts";
import { checkFolder, writeFolder } from "./write-folder.ts";

async function run(): Promise<string> {
  const given = parseArguments(process.argv.slice(2), process.env);
  if (given.help) return helpText({ servers: bundledServers(), kit: bundledKitVersion("template") });
  if (given.version) return `${version()}\n`;
  const cwd = process.cwd();
  const complete = process.stdin.isTTY ? await promptForMissing(given, process.stdin, process.stderr) : given;
  const options = resolveOptions(complete, { servers: bundledServers(), cwd });
  checkFolder(options.folder);
  const files = projectFiles(options);
  writeFolder(options.folder, files);
  return nextSteps(options, { files: files.size, cwd });
}

try {
  process.stdout.write(await run());
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  process.stderr.write(`Error: ${error.message}\n`);
  process.exitCode = error.exitCode;
}
