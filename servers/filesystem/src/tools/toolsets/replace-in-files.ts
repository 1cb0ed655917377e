// replace_in_files: replaces a text in all files of a directory, after one question. In a toolset that is off by default.
import { counted, escapeControls } from "@oarlock/domain-kit";
import { confirm, tool, ToolError, type InteractiveContext } from "@oarlock/server-kit";
import { pageBudget, type Dependencies, type OpenTrash } from "../../dependencies.ts";
import { displayPathFrom } from "../../disk/access/path-syntax.ts";
import type { Sandbox } from "../../disk/access/sandbox.ts";
import type { ReplacedFile, ReplacePlan } from "../../disk/replace/replace-in-files.ts";
import type { Trash } from "../../disk/trash/trash.ts";
import { newGroup } from "../../disk/trash/change-group.ts";
import { replacedText, replaceQuestion, withDisplayPaths } from "../../replies/replaced-files.ts";
import { withUndo } from "../../replies/undo-notice.ts";
import { flag, object, result, text, texts, z } from "../../schema.ts";

/** Each of them is a search of its own. */
const MAX_EDITS = 50;

export const replaceInFiles = ({ sandboxes, openTrash, allowDelete, maxResultBytes }: Dependencies) =>
  tool({
    name: "replace_in_files",
    title: "Replace in files",
    toolset: "bulk",
    description:
      "Replace texts in all files below a directory, after asking the user or where undo_change brings all back; gives the count for each file. Leaves out the files that search_file_contents leaves out. Encodings and line endings are kept.",
    input: () =>
      object({
        path: z.optional(text("Directory or file; default: the allowed directory, where there is one")),
        glob: z.optional(text("Glob relative to path; *.ts at any depth, {a,b} for several")),
        pattern: z.optional(text("Text to find, exactly")),
        replaceWith: z.optional(text("Text to put in its place; with regex $1 is a group, $$ a dollar sign")),
        edits: z.optional(
          z
            .array(z.object({ oldText: text("As pattern"), newText: text("As replaceWith") }))
            .check(z.minLength(1), z.maxLength(MAX_EDITS), z.describe("Several of these, in order, instead of pattern and replaceWith")),
        ),
        regex: flag("Regular expressions"),
        wholeWord: flag("Only whole words"),
        caseSensitive: z._default(z.boolean(), true).check(z.describe("Mind the case")),
        exclude: texts("Such globs to leave out"),
        respectGitignore: z._default(z.boolean(), true).check(z.describe("Leave out ignored files")),
        includeHidden: flag("Hidden files too"),
        dryRun: flag("Only list files and counts"),
      }),
    output: () => result({ content: z.string(), applied: z.boolean(), replacements: z.int() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ path: given, pattern, replaceWith, edits, dryRun, regex, wholeWord, caseSensitive, ...which }, ctx) {
      const pairs = replacementsOf(pattern, replaceWith, edits);
      const { planReplacements, replaceInFiles: replace } = await import("../../disk/replace/replace-in-files.ts");
      const sandbox = await sandboxes.of(ctx);
      const path = given ?? onlyDirectory(sandbox);
      const progress = (done: number, total: number) => ctx.progress(done, total, `${done} files`);
      const queries = pairs.map(({ oldText, newText }) => ({ pattern: oldText, replacement: newText, regex, wholeWord, caseSensitive }));
      const options = { ...which, queries, signal: ctx.signal };
      const plan = await planReplacements(sandbox, path, options);
      const displayPath = displayPathFrom(given ?? ".", plan.start);
      const maxBytes = pageBudget(maxResultBytes, undefined);
      if (dryRun || plan.files.length === 0) return reply(withDisplayPaths(plan, displayPath), { isDone: false, maxBytes });
      for (const file of plan.files) sandbox.mustBeWritable(file.path);
      const group = newGroup();
      const trash = await trashFor(path, plan.files, group, { openTrash, allowDelete }, ctx);
      const done = await replace(sandbox, plan.files, { ...options, progress, trash });
      const kept = done.files.filter(({ undo }) => undo !== undefined);
      const loss = done.files.find((file) => file.loss !== undefined)?.loss;
      const undo = kept.length > 0 ? group : undefined;
      const part = kept.length < done.files.length && kept.length > 0 ? `Only ${kept.length} of the files can be brought back.` : undefined;
      const all = { ...plan, files: done.files, failed: [...plan.failed, ...done.failed] };
      const { content, structured } = reply(withDisplayPaths(all, displayPath), { isDone: true, maxBytes });
      return { content: withUndo(content, undo, true, part ?? loss), structured: { ...structured, undo } };
    },
  });

interface Pair {
  readonly oldText: string;
  readonly newText: string;
}

function replacementsOf(pattern: string | undefined, replaceWith: string | undefined, edits: readonly Pair[] | undefined): readonly Pair[] {
  if (edits !== undefined) {
    if ((pattern ?? replaceWith) === undefined) return edits;
    throw new ToolError("Cannot combine edits with pattern and replaceWith. Use one of the two.");
  }
  if (pattern === undefined || replaceWith === undefined)
    throw new ToolError('Nothing to replace: expected pattern and replaceWith ("" removes the text), or edits.');
  return [{ oldText: pattern, newText: replaceWith }];
}

/** Files must not be changed in a directory that the call did not mean. */
function onlyDirectory({ roots }: Sandbox): string {
  const [only] = roots;
  if (only !== undefined && roots.length === 1) return only.real;
  throw new ToolError(
    `Path missing: ${counted(roots.length, "directory is", "directories are")} allowed. Name one of list_allowed_directories.`,
  );
}

function reply(plan: ReplacePlan, { isDone, maxBytes }: { isDone: boolean; maxBytes: number }) {
  const { files, failed } = plan;
  const content = replacedText(plan, { isDone, maxBytes });
  const replacements = files.reduce((sum, file) => sum + file.replacements, 0);
  const listed = [...files, ...failed].map(({ path, replacements: count, error }) => ({
    path,
    replacements: count,
    ...(error !== undefined && { error }),
  }));
  return { content, structured: { content, applied: isDone, replacements, files: listed } };
}

/** Asks once for all files. A client that cannot ask its user goes on where everything can be brought back, as an edit of one file does. */
async function trashFor(
  path: string,
  files: readonly ReplacedFile[],
  group: string,
  { openTrash, allowDelete }: { openTrash: OpenTrash | undefined; allowDelete: boolean },
  ctx: InteractiveContext,
): Promise<Trash | undefined> {
  const principal = ctx.auth?.principal;
  if (allowDelete) return await openTrash?.({ principal, group });
  const promising = await openTrash?.({ principal, group, isPromised: true });
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const isKept = (await promising?.accepts(bytes)) === true;
  const displayPath = escapeControls(path);
  const unsupported = `Not replaced: replacing in many files below ${displayPath} needs the user's consent where it cannot be undone, and your client does not support elicitation. Start the server with --allow-delete, or edit file by file.`;
  try {
    if (await confirm(ctx, replaceQuestion(path, files, isKept), unsupported))
      return isKept ? promising : await openTrash?.({ principal, group });
  } catch (error) {
    if (isKept && error instanceof ToolError && error.message === unsupported) return promising;
    throw error;
  }
  throw new ToolError(`Not replaced: the user did not agree to replace in the files below ${displayPath}.`);
}
