// hooks run: what a host calls. At the start of a session it gets a digest; before compaction and at the end, what the user said becomes candidates.
import type { HookHost } from "@oarlock/cli/hooks";
import { counted } from "@oarlock/domain-kit";
import type { Graph } from "../../graph/graph.ts";
import { UsageError } from "../context.ts";
import { digestText, projectOf } from "../digest.ts";
import { InboxFile } from "../inbox/inbox-file.ts";
import { candidateFacts } from "./candidate-facts.ts";
import { userMessages } from "./user-messages.ts";

const MAX_INPUT_BYTES = 8_000_000;

export interface HookCall {
  readonly host: HookHost;
  readonly maxTokens: number | undefined;
  /** Default: the name of the folder of the session. */
  readonly project: string | undefined;
  readonly database: string;
  readonly graph: Graph;
}

/** Returns the JSON that the host reads. `input`: what the host has written. Throws a UsageError for another input. */
export async function runHook(call: HookCall, input: string): Promise<string> {
  const { event, cwd, transcript } = eventOf(input);
  const project = call.project ?? projectOf(cwd);
  const output = event === "sessionstart" ? await start(call, project) : collect(call, project, transcript);
  return `${JSON.stringify(output)}\n`;
}

async function start({ host, maxTokens, database, graph }: HookCall, project: string): Promise<object> {
  const known = await digestText(graph, { project, maxTokens });
  using inbox = InboxFile.open(database, { isNew: false });
  const waiting = inbox.waiting().length;
  const hint =
    waiting === 0
      ? ""
      : `${counted(waiting, "fact")} of earlier sessions wait for the user: oarlock-memory inbox list, confirm ID, decline ID.\n`;
  const text = known + hint;
  if (text === "") return {};
  if (host === "cursor") return { additional_context: text };
  return { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text } };
}

function collect({ host, database }: HookCall, project: string, transcript: string | undefined): object {
  if (transcript === undefined) return {};
  const facts = candidateFacts(userMessages(transcript));
  if (facts.length === 0) return {};
  using inbox = InboxFile.open(database, { isNew: true });
  const added = inbox.add(facts.map((fact) => ({ entity: project, entityType: "project", fact })));
  if (added === 0) return {};
  const message = `${counted(added, "fact")} to remember: oarlock-memory inbox list shows, confirm stores, decline drops.`;
  return host === "cursor" ? { user_message: message } : { systemMessage: message };
}

/** Hosts differ in the spelling of the members. */
function eventOf(input: string): { event: string; cwd: string; transcript: string | undefined } {
  let given: unknown;
  try {
    given = JSON.parse(input);
  } catch {
    // Refused below.
  }
  if (typeof given !== "object" || given === null) throw new UsageError("hooks run expects the JSON of a hook on stdin: hosts call it");
  const {
    hook_event_name: name,
    hookEventName: camelName,
    cwd,
    workspace_roots: roots,
    transcript_path: transcript,
  } = given as Record<string, unknown>; // looked into here
  const [root] = Array.isArray(roots) ? roots : [];
  const folder = [cwd, root].find((one) => typeof one === "string" && one !== "");
  return {
    event: [name, camelName].find((one) => typeof one === "string")?.toLowerCase() ?? "",
    cwd: typeof folder === "string" ? folder : process.cwd(),
    transcript: typeof transcript === "string" && transcript !== "" ? transcript : undefined,
  };
}

/** All that the host writes, within bounds. */
export async function readInput(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.length;
    if (bytes > MAX_INPUT_BYTES) throw new UsageError("hooks run got too much on stdin");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
