// delete_file: deletes a file, or a directory with all entries below it, after a confirmation; dryRun only lists them.
import { clip, counted, escapeControls } from "@oarlock/domain-kit";
import { confirm, tool, ToolError, type InteractiveContext } from "@oarlock/server-kit";
import { pageBudget, type Dependencies } from "../../dependencies.ts";
import { displayPathFrom } from "../../disk/access/path-syntax.ts";
import type { DeletionPlan } from "../../disk/transfer/delete.ts";
import { sizeText } from "../../disk/tree/listing-text.ts";
import { withUndo } from "../../replies/undo-notice.ts";
import { flag, object, result, text, z } from "../../schema.ts";

/** Entries of a directory that the question names. */
const MAX_NAMED = 3;

export const deleteFile = ({ sandboxes, openTrash, allowDelete, maxResultBytes }: Dependencies) =>
  tool({
    name: "delete_file",
    title: "Delete file",
    description: `Delete a file or link, or with recursive a directory, after the user agreed${openTrash === undefined ? ", for good" : "; undo_change brings it back"}.`,
    input: () =>
      object({
        path: text("What to delete"),
        recursive: flag("Directories too"),
        dryRun: flag("Only list what would go"),
      }),
    output: () =>
      result({
        content: z.string(),
        deleted: z.boolean(),
      }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ path, recursive, dryRun }, ctx) {
      const [{ deletePath, moveToTrash, planDeletion }, { PROTECTED_NOTICE }] = await Promise.all([
        import("../../disk/transfer/delete.ts"),
        import("../../disk/rights/write-access.ts"),
      ]);
      const sandbox = await sandboxes.of(ctx);
      const makePlan = () =>
        planDeletion(sandbox, path, { recursive, signal: ctx.signal, maxBytes: pageBudget(maxResultBytes, undefined) });
      const first = await makePlan();
      if (dryRun) return preview({ ...first, paths: first.paths.map(displayPathFrom(path, first.path)) });
      const trash = await openTrash?.({ principal: ctx.auth?.principal, isPromised: !allowDelete });
      // There is nothing in a FIFO or socket to keep.
      const isKeptNow = async ({ bytes, type }: DeletionPlan): Promise<boolean> =>
        type !== "FIFO" && type !== "socket" && (await trash?.accepts(bytes)) === true;
      const { plan, isKept } = allowDelete
        ? { plan: first, isKept: await isKeptNow(first) }
        : await confirmDeletion(path, first, makePlan, isKeptNow, ctx);
      const progress = (deleted: number) => ctx.progress(deleted, Math.max(deleted, plan.entries), `${deleted} entries deleted`);
      const options = { recursive, signal: ctx.signal };
      const { entries, undo } =
        trash !== undefined && isKept
          ? await moveToTrash(sandbox, path, trash, plan.bytes, options)
          : await deletePath(sandbox, path, { ...options, progress });
      const content = `Successfully deleted ${escapeControls(path)}${entriesBelow({ ...plan, entries })}`;
      return {
        content: withUndo(content, undo, false, plan.isProtected ? PROTECTED_NOTICE : undefined),
        structured: { content, deleted: true, entries, bytes: plan.bytes, truncated: false, undo },
      };
    },
  });

function preview({ entries, bytes, paths }: DeletionPlan) {
  const truncated = entries > paths.length;
  const rest = truncated ? [`(and ${entries - paths.length} more that are not listed)`] : [];
  const size = `${counted(entries, "entry", "entries")} (${sizeText(bytes)})`;
  const content = [`Would delete ${size}:`, ...paths.map(escapeControls), ...rest].join("\n");
  return { content, structured: { content, deleted: false, entries, bytes, paths: [...paths], truncated } };
}

/** Asks again when more or less would be deleted than the user agreed to. Returns what was confirmed. */
async function confirmDeletion(
  path: string,
  first: DeletionPlan,
  makePlan: () => Promise<DeletionPlan>,
  isKeptNow: (plan: DeletionPlan) => Promise<boolean>,
  ctx: InteractiveContext,
): Promise<{ readonly plan: DeletionPlan; readonly isKept: boolean }> {
  const unsupported = `Not deleted: deleting ${escapeControls(path)} needs the user's consent, and your client does not support elicitation. Start the server with --allow-delete to delete without it; dryRun lists what would be deleted.`;
  for (let plan = first; ;) {
    const confirmed = entriesBelow(plan) + namesIn(plan);
    const isKept = await isKeptNow(plan);
    const way = isKept ? "The server keeps it for 14 days, and can bring it back." : "It cannot be brought back.";
    if (!(await confirm(ctx, `Delete ${kindOf(plan)}${escapeControls(path)}${confirmed}? ${way}`, unsupported)))
      throw new ToolError(`Not deleted: the user did not agree to delete ${escapeControls(path)}.`);
    plan = await makePlan();
    if (entriesBelow(plan) + namesIn(plan) === confirmed && (await isKeptNow(plan)) === isKept) return { plan, isKept };
  }
}

const kindOf = ({ type, isProtected }: DeletionPlan): string =>
  type === "FIFO" || type === "socket" ? `the ${type} ` : isProtected ? "the write-protected file " : "";

const entriesBelow = ({ type, entries, bytes }: DeletionPlan): string =>
  type === "directory" ? ` and the ${counted(entries - 1, "entry", "entries")} in it (${sizeText(bytes)})` : "";

/** Few entries are named: a user agrees to what is known. */
function namesIn({ path, entries, paths }: DeletionPlan): string {
  if (entries < 2 || entries - 1 > MAX_NAMED || paths.length < entries) return "";
  const displayPath = displayPathFrom(".", path);
  const names = paths
    .slice(1)
    .toSorted()
    .map((below) => clip(displayPath(below), 100));
  return `: ${names.join(", ")}`;
}
