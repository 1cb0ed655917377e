// The switches of this server besides those of every server.
import type { Flags } from "@oarlock/cli";
import type { Preference } from "./graph/search/preferences.ts";

const RANKINGS = ["match", "importance", "decay", "both"] as const satisfies readonly Preference[];

export const flags = {
  db: {
    type: "path",
    value: "FILE|URL",
    legacyEnv: "MEMORY_FILE_PATH",
    help: "where the memory is stored: a .jsonl file, kept as a mirror, a .db file, or postgres://…; else MEMORY_FILE_PATH",
  },
  embeddings: {
    type: "text",
    value: "URL|local[:PACKAGE]",
    help: "also find by meaning: an endpoint as POST /v1/embeddings, or a model in this process, such as that of a package",
  },
  embeddingsModel: {
    type: "text",
    value: "NAME",
    help: "the model that the endpoint is asked for; for local the name or folder of the model",
  },
  embeddingsKeyFile: { type: "path", value: "FILE", help: "file with the key of the endpoint, sent as a bearer token" },
  scope: {
    type: "text",
    value: "NAME",
    httpOnly: "principal",
    help: "the memory to use: a name, project (one for each folder of the client), principal (one for each user) or default",
  },
  readScope: { type: "list", value: "NAME", help: "another memory that can be read; may be repeated" },
  mirror: { type: "path", value: "DIR", help: "also keep the memory as Markdown notes in this folder; changes in the notes are read back" },
  ranking: {
    type: "choice",
    choices: RANKINGS,
    default: "match",
    help: "what decides in searches besides the match: importance (tags important and unimportant), decay (the age of facts), or both",
  },
  keepHistory: {
    type: "text",
    value: "DURATION",
    help: "how long deleted and replaced facts are kept, such as 30d, 6mo or 1y; default: forever",
  },
  lockdown: { type: "boolean", help: "serve no memory whose files or folder another user owns or can write into" },
  lean: { type: "boolean", help: "save context: no text twice in a reply, and no schemas of results" },
  allowPurge: { type: "boolean", help: "let purges, merges and large deletions run without confirmation by the user" },
} as const satisfies Flags;
