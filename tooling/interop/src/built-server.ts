// The built filesystem server, started as a host starts it.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const BINARY = fileURLToPath(new URL("../../../servers/filesystem/dist/bin.js", import.meta.url));

export interface Program {
  command: string;
  args: string[];
  /** Beside the environment that clients pass on. */
  env?: Record<string, string>;
}

/** The command that serves directories; switches may stand among them. Nothing gets into the trash of the user. */
export function binary(...args: string[]): Program {
  if (!existsSync(BINARY)) throw new Error(`Missing ${BINARY}: run pnpm build first`);
  return { command: process.execPath, args: [BINARY, ...args], env: { OARLOCK_NO_TRASH: "1" } };
}
