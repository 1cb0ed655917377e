// The switches of this server, beside those that every server has.
import type { Flags } from "@oarlock/cli";

export const flags = {
  repository: { type: "paths", short: "r", value: "PATH", help: "a repository to serve, by its top folder" },
  repositoriesRoot: { type: "paths", value: "DIR", help: "a folder whose repositories are all served" },
  roots: {
    type: "choice",
    choices: ["narrow", "replace", "ignore"],
    default: "narrow",
    help: "what the client's roots do to the repositories given here",
  },
  runHooks: { type: "boolean", help: "run the hooks of the repository, as git does at a terminal" },
  sign: { type: "boolean", help: "sign commits and tags, as your own git configuration says how" },
  allowDiscard: { type: "boolean", help: "let what discards work or deletes go on without asking the user" },
  trust: {
    type: "paths",
    value: "PATH",
    help: "open the repositories at and below PATH though another user owns them or their configuration names programs",
  },
  protocols: { type: "names", value: "A,B", help: "protocols of the toolset remote; without it: https,http,ssh" },
  git: { type: "path", value: "FILE", help: "the git program, instead of the one at its usual place" },
  lean: { type: "boolean", help: "save context: no text twice in a reply, and no schemas of results" },
  verbose: { type: "boolean", short: "v", help: "say at the start what is served" },
  veryVerbose: { type: "boolean", short: "vv", help: "the same" },
} as const satisfies Flags;
