// What tools that integrate commits share: their steps, and a reply that names conflicts.
import type { InteractiveContext } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { confirmDiscard } from "../../confirmation.ts";
import type { Dependencies } from "../../dependencies.ts";
import type { Repository } from "../../repo/repository.ts";
import type { Conflict } from "../../repo/worktree/conflicts.ts";
import { requireInProgress, type IntegrationKind, type IntegrationResult } from "../../repo/worktree/integration.ts";
import { choice, result, z } from "../../schema.ts";
import { toObjects } from "../structured.ts";

export const stepArgument = () =>
  z._default(choice(["start", "continue", "skip", "abort"], "Start, continue, skip a commit, or abort"), "start");

export const integrationOutput = () =>
  result({
    state: z.string(),
    head: z.optional(z.string()),
    conflicts: z.array(z.looseObject({ path: z.string(), status: z.string() })),
  });

/** Asks the user before an operation in progress is aborted. */
export async function confirmAbort(
  deps: Dependencies,
  repository: Repository,
  kind: IntegrationKind,
  ctx: InteractiveContext,
): Promise<void> {
  requireInProgress(repository, kind);
  await confirmDiscard(deps, ctx, `Abort the ${kind} in ${repository.name}, with the conflicts resolved so far`);
}

export function integrationReply(title: string, { state, head, conflicts, message }: IntegrationResult) {
  const stopped =
    state === "conflict"
      ? [
          title,
          "Stopped at conflicts. Resolve them, stage the files with git_add, then call again with step continue (or abort):",
          ...conflicts.map(conflictLine),
        ]
      : [state === "aborted" ? `${title} was aborted` : `${title}: done, HEAD is ${head ?? "nothing"}`];
  return {
    content: [...stopped, ...(message === "" ? [] : [message])].join("\n"),
    structured: {
      state,
      ...(head !== undefined && { head }),
      conflicts: conflicts.map(({ path, status, regions }) => ({ path, status, regions: toObjects(regions) })),
    },
  };
}

function conflictLine({ path, status, regions }: Conflict): string {
  // The markers are part of the lines to resolve.
  const lines = regions.map(({ ours, theirs }) => `${ours.start - 1}-${theirs.end + 1}`).join(", ");
  return `  ${escapeControls(path)} (${status})${lines === "" ? "" : `, lines ${lines}`}`;
}
