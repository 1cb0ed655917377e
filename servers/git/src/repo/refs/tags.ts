// Tags: listing, creating, deleting.
import { lineOf } from "../history/commit-record.ts";
import { eachRef } from "./ref-list.ts";
import { GitError, clip } from "../errors.ts";
import { failure } from "../process/git-failure.ts";
import { identityOf } from "../worktree/committer-identity.ts";
import type { Repository } from "../repository.ts";
import { checkRefName } from "./revision-syntax.ts";
import { allowances, type Allowed } from "../worktree/hooks-and-signing.ts";

export interface Tag {
  readonly name: string;
  /** The commit, also of an annotated tag, and of a tag of a tag; else the object that it names. */
  readonly commit: string;
  /** What it names, where that is no commit. */
  readonly type?: string;
  readonly annotated: boolean;
  readonly date: string;
  readonly subject: string;
}

const FIELDS =
  "%(refname:strip=2)%00%(objectname)%00%(*objectname)%00%(objecttype)%00%(*objecttype)%00%(creatordate:iso-strict)%00%(contents:subject)";

export async function listTags(
  repository: Repository,
  { pattern, limit, signal }: { pattern?: string | undefined; limit: number; signal?: AbortSignal },
): Promise<{ tags: Tag[]; broken: readonly string[]; more: boolean }> {
  const { lines, broken, cut } = await eachRef(
    repository,
    [`--format=${FIELDS}`, "--sort=-creatordate", ...(pattern === undefined ? [`--count=${limit + 1}`] : [])],
    ["refs/tags/"],
    signal,
  );
  const isWanted = (name: string): boolean => pattern === undefined || name.includes(pattern);
  const tags = lines.map(tagOf).filter(({ name }) => isWanted(name));
  const shown = tags.slice(0, limit);
  return {
    tags: await Promise.all(shown.map((tag) => peeled(repository, tag, signal))),
    broken: broken.filter((ref) => isWanted(ref.slice("refs/tags/".length))),
    more: cut || tags.length > limit,
  };
}

function tagOf(line: string): Tag {
  const [name = "", object = "", behind = "", type = "", behindType = "", date = "", subject = ""] = line.split("\0");
  const annotated = type === "tag";
  const what = annotated ? behindType : type;
  return { name, commit: annotated ? behind : object, ...(what !== "commit" && { type: what }), annotated, date, subject: lineOf(subject) };
}

/** A tag of a tag, all the way down: a list has looked behind the first one only. */
async function peeled(repository: Repository, tag: Tag, signal?: AbortSignal): Promise<Tag> {
  if (tag.type !== "tag") return tag;
  const found = await repository.object(`${tag.commit}^{}`, undefined, signal);
  if (typeof found === "string") return tag;
  const { type: _, ...rest } = tag;
  return { ...rest, commit: found.oid, ...(found.type !== "commit" && { type: found.type }) };
}

export interface NewTag {
  readonly name: string;
  readonly commit: string;
  /** With a message the tag is an object of its own. */
  readonly message?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function createTag(repository: Repository, { name, commit, message, signal }: NewTag, allowed: Allowed): Promise<void> {
  checkRefName(name, "tag");
  const annotated = message !== undefined || allowed.sign;
  const { settings, env } = await allowances(repository, allowed);
  const ran = await repository.try({
    args: [
      "tag",
      ...(annotated ? [allowed.sign ? "--sign" : "--annotate", "--cleanup=whitespace", "--file=-"] : ["--no-sign"]),
      "--",
      name,
      commit,
    ],
    ...(annotated && { input: message ?? name }),
    settings,
    env: { ...env, ...(annotated && (await identityOf(repository, allowed.env))) },
    signal,
  });
  if (ran.code === 0) return;
  if (/already exists/.test(ran.stderr))
    throw new GitError("conflict", `A tag "${clip(name)}" exists already: take another name, or delete it first.`);
  throw failure(repository, ran, ["tag"]);
}

/** The object that a tag names. */
export async function tagObject(repository: Repository, name: string, signal?: AbortSignal): Promise<string> {
  checkRefName(name, "tag");
  const found = await repository.object(`refs/tags/${name}`, undefined, signal);
  if (typeof found === "string") throw new GitError("not-found", `There is no tag "${clip(name)}"; action list shows them.`);
  return found.oid;
}

export async function deleteTag(repository: Repository, name: string, signal?: AbortSignal): Promise<void> {
  await repository.run({ args: ["tag", "--delete", "--", name], signal });
}
