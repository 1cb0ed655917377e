// Tags: listing, creating, deleting.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { truncateLine } from "../history/commit-record.ts";
import { addressIn, HIDDEN } from "../lockdown/trusted-authors.ts";
import { missingObjectOf } from "../process/git-failure.ts";
import type { Repository } from "../repository.ts";
import { committerIdentity } from "../worktree/committer-identity.ts";
import { programSettings, type ProgramPolicy } from "../worktree/hooks-and-signing.ts";
import { dateOf, hasRef, listRefs } from "./ref-list.ts";
import { checkRefName } from "./revision-syntax.ts";

export interface Tag {
  readonly name: string;
  /** The object behind all tags, usually a commit. */
  readonly commit: string;
  /** The type of that object, where it is not a commit. */
  readonly type?: string;
  readonly annotated: boolean;
  readonly date: string;
  readonly subject: string;
}

export interface TagListOptions {
  /** A part of the names. */
  readonly pattern?: string | undefined;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

export interface TagList {
  readonly tags: Tag[];
  /** Full names of tags whose object is missing. */
  readonly broken: readonly string[];
  readonly hasMore: boolean;
}

const PREFIX = "refs/tags/";
const FIELDS =
  "%(refname:strip=2)%00%(objectname)%00%(*objectname)%00%(objecttype)%00%(*objecttype)%00%(creatordate:iso-strict)%00%(contents:subject)%00%(creator)";

/** Newest first. */
export async function listTags(repository: Repository, { pattern, limit, signal }: TagListOptions): Promise<TagList> {
  const options = [`--format=${FIELDS}`, "--sort=-creatordate", ...(pattern === undefined ? [`--count=${limit + 1}`] : [])];
  const { lines, broken, isTruncated } = await listRefs(repository, options, [PREFIX], signal);
  const matches = (name: string): boolean => pattern === undefined || name.includes(pattern);
  const tags = lines.map((line) => parseTag(line, repository)).filter(({ name }) => matches(name));
  return {
    tags: await Promise.all(tags.slice(0, limit).map((tag) => peelNested(repository, tag, signal))),
    broken: broken.filter((ref) => matches(ref.slice(PREFIX.length))),
    hasMore: isTruncated || tags.length > limit,
  };
}

function parseTag(line: string, { isTrusted }: Repository): Tag {
  const [name = "", object = "", peeled = "", objectType = "", peeledType = "", date = "", subject = "", creator = ""] = line.split("\0");
  const annotated = objectType === "tag";
  const type = annotated ? peeledType : objectType;
  const commit = annotated ? peeled : object;
  const visible = isTrusted?.(addressIn(creator)) === false ? HIDDEN : truncateLine(subject);
  return { name, commit, ...(type !== "commit" && { type }), annotated, date: dateOf(date), subject: visible };
}

/** git's list peels one tag; a tag of a tag is peeled here. */
async function peelNested(repository: Repository, tag: Tag, signal?: AbortSignal): Promise<Tag> {
  if (tag.type !== "tag") return tag;
  const found = await repository.object(`${tag.commit}^{}`, undefined, signal);
  if (typeof found === "string") return tag;
  const { type: _type, ...rest } = tag;
  return { ...rest, commit: found.oid, ...(found.type !== "commit" && { type: found.type }) };
}

export interface NewTag {
  readonly name: string;
  readonly commit: string;
  /** Makes an annotated tag. */
  readonly message?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function createTag(repository: Repository, { name, commit, message, signal }: NewTag, policy: ProgramPolicy): Promise<void> {
  checkRefName(name, "tag");
  const isAnnotated = message !== undefined || policy.sign;
  const { settings, env } = programSettings(repository, policy);
  const kind = isAnnotated ? [policy.sign ? "--sign" : "--annotate", "--cleanup=whitespace", "--file=-"] : ["--no-sign"];
  const command = {
    args: ["tag", ...kind, "--", name, commit],
    ...(isAnnotated && { input: message ?? name }),
    settings,
    env: { ...env, ...(isAnnotated && committerIdentity(repository, policy.env)) },
    signal,
  };
  await repository.create(command, `Tag "${clip(name)}" already exists: choose another name, or delete it first.`);
}

/** The id of the object that a tag names. Throws where there is no such tag. */
export async function resolveTag(repository: Repository, name: string, signal?: AbortSignal): Promise<string> {
  checkRefName(name, "tag");
  const found = await repository.object(`${PREFIX}${name}`, undefined, signal);
  if (typeof found === "string" && (await hasRef(repository, [PREFIX], name, signal))) throw missingObjectOf(name);
  if (typeof found === "string") throw new GitError("not-found", `There is no tag "${clip(name)}": action list shows the tags.`);
  return found.oid;
}

export async function deleteTag(repository: Repository, name: string, signal?: AbortSignal): Promise<void> {
  await repository.change({ args: ["tag", "--delete", "--", name], signal });
}
