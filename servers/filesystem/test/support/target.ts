// The filesystem server over given directories, both ways: in this process, and as a process of its own.
import { fileURLToPath } from "node:url";
import type { Command } from "@oarlock/client";
import type { Server } from "@oarlock/server-kit";
import { nodeCommand, type Target } from "@oarlock/testing";
import { parseDirectory } from "../../src/directory-argument.ts";
import type { RootsMode } from "../../src/request-sandbox.ts";
import { defaultTrashFolder } from "../../src/disk/trash/trash-folder.ts";
import { createServer } from "../../src/server.ts";

/** The sources, or with OARLOCK_BUILT=1 the build, which starts three times as fast. */
const BIN = new URL(process.env["OARLOCK_BUILT"] === "1" ? "../../dist/bin.js" : "../../src/bin.ts", import.meta.url);
/** Compiled code is kept, as many processes are started here. */
const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));

/** The command that runs the server, without the trash in the home of the user. */
export const bin = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Command =>
  nodeCommand(BIN, args, { NODE_COMPILE_CACHE: COMPILED, OARLOCK_NO_TRASH: "1", ...env });

export interface Setup {
  /** DIR or DIR:ro. */
  readonly directories: readonly string[];
  readonly deny?: readonly string[];
  readonly roots?: RootsMode;
  readonly allowDelete?: boolean;
  readonly lean?: boolean;
  readonly readOnly?: boolean;
  readonly refuseHardLinks?: boolean;
  readonly lockdown?: boolean;
  readonly maxResultBytes?: number;
  /** The folder for the state of programs; without it nothing is kept. */
  readonly stateHome?: string;
  /** Default: `default`. */
  readonly toolsets?: readonly string[];
  /** Milliseconds between two checks of what is subscribed to, where it is served in this process. */
  readonly lookMs?: number;
}

/** The command line that says the same. */
export function argumentsOf({
  directories,
  deny = [],
  roots,
  allowDelete,
  lean,
  readOnly,
  refuseHardLinks,
  lockdown,
  maxResultBytes,
  toolsets,
}: Setup): string[] {
  return [
    ...(maxResultBytes === undefined ? [] : [`--max-result-bytes=${maxResultBytes}`]),
    ...deny.map((glob) => `--deny=${glob}`),
    ...(roots === undefined ? [] : [`--roots=${roots}`]),
    ...(allowDelete === true ? ["--allow-delete"] : []),
    ...(lean === true ? ["--lean"] : []),
    ...(readOnly === true ? ["--read-only"] : []),
    ...(toolsets === undefined ? [] : [`--toolsets=${toolsets.join(",")}`]),
    ...(lockdown === true ? ["--lockdown"] : []),
    ...(refuseHardLinks === true ? ["--refuse-hard-links"] : []),
    ...directories,
  ];
}

/** The server of a start without --toolsets. */
export function keepDefaultTools(server: Server): Server {
  server.tools.keep(
    ({ toolset }) => toolset === "default",
    () => "It is switched off.",
  );
  return server;
}

export async function targetOf(setup: Setup): Promise<Target> {
  const { stateHome, toolsets = ["default"] } = setup;
  const trash = stateHome === undefined ? undefined : defaultTrashFolder({ XDG_STATE_HOME: stateHome });
  const { server } = await createServer({ ...setup, trash, directories: setup.directories.map(parseDirectory) });
  server.tools.keep(({ toolset }) => toolsets.includes(toolset));
  const env: Record<string, string> = stateHome === undefined ? {} : { OARLOCK_NO_TRASH: "0", XDG_STATE_HOME: stateHome };
  return { server: () => server, command: bin(argumentsOf(setup), env) };
}
