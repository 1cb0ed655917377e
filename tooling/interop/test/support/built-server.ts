// The built filesystem server, started as a host starts it.
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import type { Program as ServerProgram } from "@oarlock-tooling/test-support/server-process";

/** As the official clients take it. */
export interface Program extends ServerProgram {
  args: string[];
  env?: Record<string, string>;
}

/** The command that serves directories; switches may stand among them. Nothing gets into the trash of the user. */
export const binary = (...args: string[]): Program => ({
  command: process.execPath,
  args: builtServer("filesystem", ...args),
  env: { OARLOCK_NO_TRASH: "1" },
});
