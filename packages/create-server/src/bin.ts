// create-server NAME: writes a new server. `npm create @oarlock/server NAME` runs it.
import { readArguments } from "./arguments.ts";
import { kitOf, servers, version } from "./carried.ts";
import { completed } from "./dialogue.ts";
import { filesOf } from "./files.ts";
import { helpText, nextSteps } from "./help.ts";
import { orderOf } from "./order.ts";
import { Refusal } from "./refusal.ts";
import { checkFolder, writeFolder } from "./write-folder.ts";

async function run(): Promise<string> {
  const given = readArguments(process.argv.slice(2), process.env);
  if (given.help) return helpText({ servers: servers(), kit: kitOf("template") });
  if (given.version) return `${version()}\n`;
  const cwd = process.cwd();
  const order = orderOf(process.stdin.isTTY ? await completed(given, process.stdin, process.stderr) : given, { servers: servers(), cwd });
  checkFolder(order.folder);
  const files = filesOf(order);
  writeFolder(order.folder, files);
  return nextSteps(order, { files: files.size, cwd });
}

try {
  process.stdout.write(await run());
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`Error: ${error.message}\n`);
  process.exitCode = error.code;
}
