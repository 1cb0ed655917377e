// git_diff_unstaged, git_diff_staged and git_diff: patches within a budget, of the work tree, of what is staged, or between commits.
import { tool, type InteractiveContext } from "@oarlock/server-kit";
import { diffOf, type DiffFormat } from "../../repo/diff/diff.ts";
import { GitError } from "../../repo/errors.ts";
import { clip } from "../../repo/errors.ts";
import type { Repository } from "../../repo/repository.ts";
import { rangeOf } from "../../repo/refs/revision-syntax.ts";
import { budgetOf, diffArguments, diffReply, diffResult } from "../diff-reply.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { flag, maybe, object, word } from "../../schema.ts";

interface Wanted {
  readonly context_lines: number;
  readonly paths: readonly string[];
  readonly format: DiffFormat;
  readonly max_bytes?: number | undefined;
  readonly cursor?: string | undefined;
}

const hints = { readOnly: true, openWorld: false } as const;

export const gitDiffUnstaged = (parts: Parts) =>
  tool({
    name: "git_diff_unstaged",
    title: "Diff of unstaged changes",
    description: "Show changes in the work tree that are not staged.",
    input: () => object(diffArguments()),
    output: diffResult,
    hints,
    async run({ repo_path: path, ...wanted }, ctx) {
      const repository = await opened(parts, ctx, path);
      repository.needsWorkTree();
      return reply(parts, repository, { compare: ["diff"], title: "Unstaged changes:" }, wanted, ctx);
    },
  });

export const gitDiffStaged = (parts: Parts) =>
  tool({
    name: "git_diff_staged",
    title: "Diff of staged changes",
    description: "Show changes that are staged for the next commit.",
    input: () => object(diffArguments()),
    output: diffResult,
    hints,
    async run({ repo_path: path, ...wanted }, ctx) {
      const repository = await opened(parts, ctx, path);
      repository.needsWorkTree();
      return reply(parts, repository, { compare: ["diff", "--cached"], title: "Staged changes:" }, wanted, ctx);
    },
  });

export const gitDiff = (parts: Parts) =>
  tool({
    name: "git_diff",
    title: "Diff with a revision",
    description: "Compare the work tree with a branch or commit (target), or two of them: target a..b, a...b, or base and target.",
    input: () => {
      const { repo_path, ...rest } = diffArguments();
      return object({
        repo_path,
        target: word("Branch, commit, a..b or a...b"),
        ...rest,
        base: maybe("Compare from here instead of the work tree"),
        merge_base: flag("From where the two parted"),
      });
    },
    output: diffResult,
    hints,
    async run({ repo_path: path, target, base, merge_base: mergeBase, ...wanted }, ctx) {
      const repository = await opened(parts, ctx, path);
      const ends = await endsOf(repository, target, base, ctx.signal);
      if (ends.length === 1) repository.needsWorkTree();
      const range = base === undefined ? rangeOf(target) : undefined;
      const compare = ["diff", ...(mergeBase || range?.symmetric === true ? ["--merge-base"] : []), ...ends];
      return reply(
        parts,
        repository,
        { compare, title: `Diff with ${clip(base === undefined ? target : `${base}..${target}`)}:` },
        wanted,
        ctx,
      );
    },
  });

/** One object to compare the work tree with, or two to compare. */
async function endsOf(repository: Repository, target: string, base: string | undefined, signal: AbortSignal): Promise<string[]> {
  const range = rangeOf(target);
  if (range !== undefined && base !== undefined) throw new GitError("invalid", "Give a range as target, or base and target, not both.");
  const names = range === undefined ? (base === undefined ? [target] : [base, target]) : [range.from, range.to];
  const ends = await Promise.all(names.map((name) => repository.peeled(name, signal)));
  const files = ends.filter(({ type }) => type === "blob").length;
  if (files === 1)
    throw new GitError(
      "invalid",
      "A file of a revision is compared with another one: give both as base and target, or give revisions, and the file in paths.",
    );
  return ends.map(({ oid }) => oid);
}

async function reply(
  parts: Parts,
  repository: Repository,
  { compare, title }: { compare: readonly string[]; title: string },
  { context_lines: contextLines, paths, format, max_bytes: maxBytes, cursor }: Wanted,
  ctx: InteractiveContext,
) {
  const diff = await diffOf(repository, { compare, contextLines, paths, format, cursor, ...budgetOf(parts, maxBytes), signal: ctx.signal });
  const { text, structured } = diffReply(parts, diff, format);
  return { content: `${title}\n${text}`, structured };
}
