// The switches of this server, in addition to those of every server.
import { LOCKDOWN, type Flags } from "@oarlock/cli";

export const flags = {
  deny: { type: "list", value: "GLOB", help: "hide what matches from every tool and resource" },
  roots: {
    type: "choice",
    choices: ["narrow", "replace", "ignore"],
    default: "narrow",
    help: "what the client's roots do to the directories given here",
  },
  refuseHardLinks: { type: "boolean", help: "refuse to read or edit files that have more than one name" },
  lockdown: LOCKDOWN,
  allowDelete: { type: "boolean", help: "let deletions, overwriting moves and replace_in_files go on without asking" },
  noTrash: { type: "boolean", help: "do not keep deleted and overwritten files for undo" },
  lean: { type: "boolean", help: "save context: no text twice in a reply, and no schemas of results" },
} as const satisfies Flags;
