// What tools that integrate commits share: their steps, and a reply that names conflicts.
import type { InteractiveContext } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { confirmDiscard } from "../../confirmation.ts";
import type { Dependencies } from "../../dependencies.ts";
import type { Repository } from "../../repo/repository.ts";
import type { TreeWrite } from "../../repo/safety/filter-check.ts";
import { losesWork } from "../../repo/worktree/integration/abort-losses.ts";
import type { ShownConflict } from "../../repo/worktree/integration/conflict-lines.ts";
import {
  integrate,
  requireInProgress,
  type IntegrationKind,
  type IntegrationResult,
  type IntegrationStep,
} from "../../repo/worktree/integration/integration.ts";
import { items, z, result, choice } from "../../schema.ts";
import { toObjects } from "../structured.ts";

export const stepArgument = () =>
  z._default(choice(["start", "continue", "skip", "abort"], "Start, continue, skip a commit, or abort"), "start");

export const integrationOutput = () =>
  result({
    state: z.string(),
    head: z.optional(z.string()),
    conflicts: items(),
  });

/** One call of such a tool. */
export interface IntegrationCall {
  readonly title: string;
  readonly kind: IntegrationKind;
  readonly step: IntegrationStep;
  /** Called for the step `start`: the arguments of the command, and what it writes into the work tree. */
  start(): Promise<{ args: readonly string[]; writes: readonly TreeWrite[] }>;
}

/** Runs a step, and shapes the reply. The user confirms an abort that loses work. */
export async function runIntegration(
  deps: Dependencies,
  ctx: InteractiveContext,
  repository: Repository,
  { title, kind, step, start }: IntegrationCall,
) {
  if (step === "abort") {
    requireInProgress(repository, kind);
    if (await losesWork(repository, kind, ctx.signal))
      await confirmDiscard(deps, ctx, `Abort the ${kind} in the repository ${repository.name}, with the conflicts resolved so far`);
  }
  const { args, writes } = step === "start" ? await start() : { args: [], writes: [] };
  return integrationReply(title, await integrate(repository, kind, { step, args, writes, signal: ctx.signal }, deps));
}

export function integrationReply(title: string, { state, head, conflicts, message }: IntegrationResult) {
  const stopped =
    state === "conflict"
      ? [
          `${title} stopped at conflicts. Resolve each file and stage it with git_add (or give git_add its content), then call again with step continue (or abort):`,
          ...conflicts.map(conflictLine),
        ]
      : [state === "aborted" ? `${title} was aborted` : `${title}: done, HEAD is ${head ?? "nothing"}`];
  return {
    content: [...stopped, ...newLines(message)].join("\n"),
    structured: {
      state,
      ...(head !== undefined && { head }),
      conflicts: conflicts.map(({ path, status, regions }) => ({ path, status, regions: toObjects(regions) })),
    },
  };
}

/** Lines of git that the list of conflicts and the next step say already. */
const SAID =
  /^(?:Auto-merging |CONFLICT \(content\): Merge conflict in |Automatic merge failed|Recorded preimage for |Rebasing \(\d+\/\d+\)|Could not apply )/;

const newLines = (message: string): string[] => message.split("\n").filter((line) => line !== "" && !SAID.test(line));

function conflictLine({ path, status, regions, excerpt }: ShownConflict): string {
  // The markers are part of the lines to resolve.
  const lines = regions.map(({ ours, theirs }) => `${ours.start - 1}-${theirs.end + 1}`).join(", ");
  const text = excerpt === undefined ? "" : `${excerpt.isWhole ? "; the whole file" : ""}:\n${excerpt.text}`;
  return `  ${escapeControls(path)} (${status})${lines === "" ? "" : `, lines ${lines}`}${text}`;
}
