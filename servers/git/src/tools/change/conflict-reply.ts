// What git_add does with files in conflict: takes one side or a given text, and asks the user before edits are lost.
import { counted, escapeControls, reportChange } from "@oarlock/domain-kit";
import type { InteractiveContext } from "@oarlock/server-kit";
import { confirmDiscard } from "../../confirmation.ts";
import type { Dependencies } from "../../dependencies.ts";
import { noFilesGiven } from "../../repo/worktree/staging.ts";
import type { Repository } from "../../repo/repository.ts";
import { planResolution, resolveConflicts, type Resolution, type ResolvedFile } from "../../repo/worktree/entries/conflict-resolution.ts";
import { readConflicts } from "../../repo/worktree/conflicts.ts";
import { currentOperation, wayToEnd } from "../../repo/worktree/operation.ts";
import { namesOf } from "../structured.ts";

interface ResolveCall extends Resolution {
  readonly files: readonly string[];
  readonly dryRun: boolean;
}

export async function resolve(
  deps: Dependencies,
  ctx: InteractiveContext,
  repository: Repository,
  { files, side, content, dryRun }: ResolveCall,
) {
  if (files.length === 0) throw noFilesGiven();
  const plan = await planResolution(repository, files, { side, content }, ctx.signal);
  const paths = plan.files.map(({ path }) => path);
  const structured = { staged: paths, ignored: [] };
  if (dryRun) return { content: `Would resolve ${counted(paths.length, "file")}:\n${paths.map(escapeControls).join("\n")}`, structured };
  if (plan.edited.length > 0)
    await confirmDiscard(deps, ctx, `Replace ${namesOf(plan.edited)} of the repository ${repository.name}, edited since the conflict`, {
      alternative: " To keep the edits, stage the files with git_add, without resolution and content.",
    });
  await resolveConflicts(repository, plan, ctx.signal);
  reportChange(paths);
  const left = await readConflicts(repository, ctx.signal);
  const operation = currentOperation(repository);
  const next =
    left.length > 0
      ? `Still in conflict: ${namesOf(left.map(({ path }) => path))}`
      : operation === undefined
        ? undefined
        : `No conflict is left: ${wayToEnd(operation)}`;
  return { content: [outcomeText(plan.files, side, operation === "rebase"), ...(next === undefined ? [] : [next])].join("\n"), structured };
}

function outcomeText(files: readonly ResolvedFile[], side: Resolution["side"], isRebase: boolean): string {
  const names = (isKept: boolean): string[] => files.filter(({ entry }) => (entry !== undefined) === isKept).map(({ path }) => path);
  const [kept, deleted] = [names(true), names(false)];
  // In a rebase the sides are not where people expect them.
  const meaning = !isRebase || side === undefined ? "" : side === "ours" ? " (the branch rebased onto)" : " (the commit that is rebased)";
  return [
    ...(kept.length > 0 ? [`Resolved${side === undefined ? "" : ` by ${side}${meaning}`} and staged: ${namesOf(kept)}`] : []),
    ...(deleted.length > 0 ? [`Deleted, as ${side ?? "it"}${meaning} has: ${namesOf(deleted)}`] : []),
  ].join("\n");
}
