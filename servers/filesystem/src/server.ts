// Creates the filesystem server.
import { CursorSealer, toolsetNotice, type ToolsetPurpose, type ToolSwitches } from "@oarlock/domain-kit";
import { defineServer, type Server } from "@oarlock/server-kit";
import { ActivityLog } from "./activity-log.ts";
import type { LogEvent } from "./disk/log-event.ts";
import { apps } from "@oarlock/extensions/apps";
import { hostHints } from "@oarlock/extensions/host-hints";
import { skills } from "@oarlock/extensions/skills";
import { RequestSandboxes, type RootsMode } from "./request-sandbox.ts";
import type { Dependencies, OpenTrash } from "./dependencies.ts";
import { hostHintsOf } from "./host/hints.ts";
import { VIEWS } from "./views.ts";

export interface Options {
  /** The operator's directories, absolute or relative to the working directory. */
  directories: readonly { readonly path: string; readonly readOnly: boolean }[];
  /** Globs for paths that are hidden from every tool and resource. Default none. */
  deny?: readonly string[];
  /** How the client's roots change the directories. Default `narrow`. */
  roots?: RootsMode;
  /** Files that have more than one name (hard links) are not read or edited. Default false. */
  refuseHardLinks?: boolean;
  /** The content of files whose owner is neither the user of this process nor root is not given. Default false. */
  lockdown?: boolean;
  /** The folder that keeps deleted and overwritten files. Default none: they are lost. */
  trash?: string | undefined;
  /** Overwriting moves, and deletions, need no confirmation by the user. Default false. */
  allowDelete?: boolean;
  /** The tools that the operator has switched on; the instructions name the toolsets that are off. */
  switches?: ToolSwitches;
  /** No text is sent twice in a reply, and the list of tools has no output schemas. Default false. */
  lean?: boolean;
  /** All directories are for reading only, the client's roots included. Default false. */
  readOnly?: boolean;
  /** The most bytes of one reply. Default 2,500,000. */
  maxResultBytes?: number;
  /** Secrets that seal cursors, the same for all processes of one service: the first seals, all of them open. Default: a random one. */
  stateKeys?: readonly string[];
  /** Milliseconds between two checks of what clients have subscribed to. Default 1000. For tests. */
  lookMs?: number;
}

const NAME = "oarlock-filesystem";
export const version = "0.1.0";

const INSTRUCTIONS =
  "Work with files under the allowed directories (list_allowed_directories); relative paths start at one of them. search_files finds files by name, search_file_contents lines in them; read_text_file gives an etag that write_file and edit_file accept as expectedEtag, so that changes made meanwhile are not lost. Replies that had to be cut say how to go on.";
const TOOLSETS: readonly ToolsetPurpose[] = [
  { name: "bulk", purpose: "replace a word, text or pattern in many files at once" },
  { name: "outline", purpose: "declarations of source files", reading: true },
  { name: "compare", purpose: "diff of two files", reading: true },
  { name: "documents", purpose: "text of PDF and office files", reading: true },
  { name: "modes", purpose: "permissions" },
];

/**
 * Creates the server; `sandboxes.disk.skipped` lists the directories that cannot be served.
 * @example
 * const { server } = await createServer({ directories: [{ path: "/home/me/notes", readOnly: false }] });
 */
export async function createServer(options: Options): Promise<{ server: Server; sandboxes: RequestSandboxes }> {
  const {
    directories,
    deny = [],
    roots = "narrow",
    refuseHardLinks = false,
    lockdown = false,
    allowDelete = false,
    readOnly = false,
  } = options;
  const { maxResultBytes = 2_500_000 } = options;
  const activity = new ActivityLog();
  const hidden = options.trash === undefined ? [] : [options.trash];
  const cursors = CursorSealer.fromSecrets(options.stateKeys ?? [], NAME);
  const sandboxes = await RequestSandboxes.open({ directories, deny, hidden, refuseHardLinks, lockdown, readOnly, cursors }, roots);
  const dependencies: Dependencies = {
    sandboxes,
    openTrash: openerOf(options.trash, activity.event),
    activity,
    allowDelete,
    isLean: options.lean === true,
    maxResultBytes,
    lookMs: options.lookMs,
  };
  const server = defineServer({
    name: NAME,
    title: "Files",
    version,
    extensions: [
      skills({ dir: new URL("../skills", import.meta.url), base: "skill://oarlock-filesystem" }),
      apps({ views: VIEWS }),
      hostHints(hostHintsOf({ allowDelete })),
    ],
    instructions: INSTRUCTIONS + toolsetNotice(TOOLSETS, options.switches),
    followsRoots: roots !== "ignore",
    lazy: { load: async () => (await import("./offer.ts")).createFeatures(dependencies) },
  });
  return { server, sandboxes };
}

/** One trash for all calls, loaded with the first write. */
function openerOf(folder: string | undefined, event: LogEvent): OpenTrash | undefined {
  if (folder === undefined) return undefined;
  let trash: ReturnType<OpenTrash> | undefined;
  return async (keeping) => {
    trash ??= import("./disk/trash/trash.ts").then(({ Trash }) => new Trash(folder, event));
    return (await trash).keeping(keeping);
  };
}
