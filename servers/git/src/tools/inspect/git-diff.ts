// git_diff_unstaged, git_diff_staged and git_diff: changes in the work tree, in the index, or between commits.
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { clip, escapeControls } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { readDiff, type Diff, type DiffFormat } from "../../repo/diff/diff.ts";
import { noticeUnreadAttributes } from "../../repo/limits/unread-settings.ts";
import { comparesWorkTree } from "../../repo/process/read-command.ts";
import { GitError } from "../../repo/errors.ts";
import { resolvePeeled } from "../../repo/refs/revision-resolver.ts";
import { parseRange } from "../../repo/refs/revision-syntax.ts";
import type { Repository } from "../../repo/repository.ts";
import { unfilteredNotice } from "../../repo/safety/filter-check.ts";
import { readSubmodules, type SubmoduleStatus } from "../../repo/worktree/status.ts";
import { flag, object, optionalWord, word } from "../../schema.ts";
import { diffView } from "../../views.ts";
import { diffArguments, diffReply, diffResult, patchBudget } from "../diff-reply.ts";

interface DiffInput {
  readonly context_lines: number;
  readonly paths: readonly string[];
  readonly format: DiffFormat;
  readonly max_bytes?: number | undefined;
  readonly cursor?: string | undefined;
}

const hints = { readOnly: true, openWorld: false } as const;

interface WorkTreeDiff {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly compare: readonly string[];
  /** The first line of the reply. */
  readonly heading: string;
}

const workTreeDiffTool =
  ({ name, title, description, compare, heading }: WorkTreeDiff) =>
  (deps: Dependencies) =>
    tool({
      name,
      title,
      description,
      input: () => object(diffArguments()),
      output: diffResult,
      hints,
      extensions: [ui({ view: diffView })],
      async run({ repo_path: repoPath, ...input }, ctx) {
        const repository = await openRepository(deps, ctx, repoPath);
        repository.requireWorkTree();
        return diffWithTitle(deps, repository, { compare, title: heading }, input, ctx.signal);
      },
    });

export const gitDiffUnstaged = workTreeDiffTool({
  name: "git_diff_unstaged",
  title: "Diff of unstaged changes",
  description: "Show changes that are not staged.",
  compare: ["diff"],
  heading: "Unstaged changes:",
});

export const gitDiffStaged = workTreeDiffTool({
  name: "git_diff_staged",
  title: "Diff of staged changes",
  description: "Show staged changes.",
  compare: ["diff", "--cached"],
  heading: "Staged changes:",
});

export const gitDiff = (deps: Dependencies) =>
  tool({
    name: "git_diff",
    title: "Diff with a revision",
    description: "Compare the work tree with target, or two revisions.",
    input: () => {
      const { repo_path, ...rest } = diffArguments();
      return object({
        repo_path,
        target: word("Branch, commit, a..b or a...b"),
        ...rest,
        base: optionalWord("Compare from here"),
        merge_base: flag("From the merge base"),
      });
    },
    output: diffResult,
    hints,
    extensions: [ui({ view: diffView })],
    async run({ repo_path: repoPath, target, base, merge_base: mergeBase, ...input }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const compare = ["diff", ...(await operandsOf(repository, { target, base, mergeBase }, ctx.signal))];
      const title = `Diff with ${clip(base === undefined ? target : `${base}..${target}`)}:`;
      return diffWithTitle(deps, repository, { compare, title }, input, ctx.signal);
    },
  });

interface Revisions {
  readonly target: string;
  readonly base: string | undefined;
  readonly mergeBase: boolean;
}

/** The operands of `git diff` for revisions. */
export async function operandsOf(repository: Repository, { target, base, mergeBase }: Revisions, signal: AbortSignal): Promise<string[]> {
  const objects = await resolveObjects(repository, target, base, signal);
  if (objects.length === 1) repository.requireWorkTree();
  const isSymmetric = base === undefined && parseRange(target)?.isSymmetric === true;
  return [...(mergeBase || isSymmetric ? ["--merge-base"] : []), ...objects];
}

/** The id of the object to compare the work tree with, or the ids of the two to compare. */
async function resolveObjects(repository: Repository, target: string, base: string | undefined, signal: AbortSignal): Promise<string[]> {
  const range = parseRange(target);
  if (range !== undefined && base !== undefined)
    throw new GitError("invalid", "target is a range, and base is given too: give a range as target, or base and target.");
  const names = range === undefined ? (base === undefined ? [target] : [base, target]) : [range.from, range.to];
  const objects = await Promise.all(names.map((name) => resolvePeeled(repository, name, signal)));
  if (objects.filter(({ type }) => type === "blob").length === 1)
    throw new GitError(
      "invalid",
      "A file of a revision can only be compared with another one: give both as base and target, or give revisions and name the file in paths.",
    );
  return objects.map(({ oid }) => oid);
}

async function diffWithTitle(
  deps: Dependencies,
  repository: Repository,
  { compare, title }: { compare: readonly string[]; title: string },
  { context_lines: contextLines, paths, format, max_bytes: maxBytes, cursor }: DiffInput,
  signal: AbortSignal,
) {
  const diff = await readDiff(repository, { compare, contextLines, paths, format, cursor, ...patchBudget(deps, maxBytes), signal });
  const { text, structured } = diffReply(deps, diff, format, maxBytes);
  if (diff.files.length > 0 && cursor === undefined) noticeUnreadAttributes(repository);
  const notices = comparesWorkTree(compare) && cursor === undefined ? await workTreeNotices(repository, diff, signal) : [];
  return { content: [`${title}\n${text}`, ...notices].join("\n"), structured };
}

/** What a diff with the work tree leaves out or cannot tell. */
async function workTreeNotices(repository: Repository, { files }: Diff, signal: AbortSignal): Promise<string[]> {
  const submodules = await readSubmodules(repository, signal);
  const unfiltered = await unfilteredNotice(
    repository,
    files.map(({ path }) => path),
    signal,
  );
  return [...submodules.map((submodule) => submoduleNotice(repository, submodule)), ...(unfiltered === undefined ? [] : [unfiltered])];
}

function submoduleNotice({ name }: Repository, { path, changes }: SubmoduleStatus): string {
  const what = changes === undefined ? "was not looked into" : `has ${changes.join(" and ")}, which this diff leaves out`;
  return `[submodule ${escapeControls(path)} ${what}: call git_status with repo_path ${escapeControls(`${name}/${path}`)}]`;
}
