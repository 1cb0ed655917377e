// create-server NAME: writes a new server. `npm create @oarlock/server NAME` runs it.
import { CommandError } from "./command-error.ts";
import { runCommand } from "./command.ts";

try {
  process.stdout.write(await runCommand(process));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  process.stderr.write(`Error: ${error.message}\n`);
  process.exitCode = error.exitCode;
}
