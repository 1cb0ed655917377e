// Resolves revisions to object ids before git acts on them. An unknown revision is an error with suggestions.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { missingObjectOf } from "../process/git-failure.ts";
import type { ObjectInfo } from "../process/object-reader.ts";
import type { Repository } from "../repository.ts";
import { requireReadableRef } from "../safety/git-directory/ref-files.ts";
import { isByteName, nameFromText } from "../text/file-names.ts";
import { checkDate } from "./date-check.ts";
import { hasRef, listRefNames, suggestNames } from "./ref-list.ts";
import { checkRevision, isFullId } from "./revision-syntax.ts";

/** The object that a revision names: a tag object for an annotated tag. Throws a {@link GitError} if there is none. */
export async function resolveObject(repository: Repository, revision: string, signal?: AbortSignal): Promise<ObjectInfo> {
  checkRevision(revision);
  // `main@{yesterday}`: another text in the braces would be read as some time too.
  for (const date of datesIn(revision)) await checkDate(repository.context, date, signal);
  if (revision.includes("@{-")) await requireEarlierBranches(repository, signal);
  const found = isByteName(revision) ? await byteNamed(repository, revision, signal) : await repository.object(revision, undefined, signal);
  if (typeof found !== "string") {
    if (datesIn(revision).length > 0) await requireReflogOf(repository, revision, signal);
    return found;
  }
  throw await unknownRevision(repository, revision, found, signal);
}

/** What a name that is not UTF-8 stands for, as lists of refs write it (`caf\xE9`). Only below refs/, which has been checked. */
async function byteNamed(repository: Repository, revision: string, signal?: AbortSignal) {
  const folders = revision.startsWith("refs/") ? [""] : ["refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
  for (const folder of folders) {
    const found = await repository.object(Buffer.concat([Buffer.from(folder), nameFromText(revision)]), undefined, signal);
    if (typeof found !== "string") return found;
  }
  return "missing";
}

/** The texts in braces that are neither a number nor the name of a remote branch. */
const datesIn = (revision: string): string[] =>
  [...revision.matchAll(/@\{([^}]*)\}/g)].map(([, at = ""]) => at).filter((at) => !/^(?:-?\d{1,8}|u|upstream|push)$/i.test(at));

/** `@{-1}` is the branch that the reflog of HEAD names: another text there would lead git elsewhere. */
async function requireEarlierBranches(repository: Repository, signal?: AbortSignal): Promise<void> {
  const plain = ["--no-patch", "--no-color", "--no-ext-diff", "--no-textconv", "--no-show-signature"];
  const args = ["log", "--walk-reflogs", ...plain, "--grep-reflog=^checkout: moving from ", "--format=%gs", "HEAD", "--"];
  const { stdout, isTruncated } = await repository.read({ args, signal });
  if (isTruncated) throw new GitError("too-large", "The reflog of HEAD is too large to find an earlier branch in it. Name the branch.");
  const names = [...stdout.toString().matchAll(/^checkout: moving from (.*?) to /gm)].map(([, name = ""]) => name);
  for (const name of new Set(names)) requireReadableRef(repository.state, name);
}

/** git takes the oldest entry of a reflog that begins later, and only warns. */
async function requireReflogOf(repository: Repository, revision: string, signal?: AbortSignal): Promise<void> {
  const { stderr } = await repository.tryRead({ args: ["rev-list", "--no-walk", "--end-of-options", revision, "--"], signal });
  const [, start] = /^warning: log for '.*' only goes back to (.+)$/m.exec(stderr) ?? [];
  if (start === undefined) return;
  throw new GitError(
    "not-found",
    `Revision "${clip(revision)}" is older than its reflog, which goes back to ${clip(start)}. git_log with end_timestamp finds the last commit of a day.`,
  );
}

/** The object behind all tags. */
export async function resolvePeeled(repository: Repository, revision: string, signal?: AbortSignal): Promise<ObjectInfo> {
  const found = await resolveObject(repository, revision, signal);
  if (found.type !== "tag") return found;
  const peeled = await repository.object(`${found.oid}^{}`, undefined, signal);
  return typeof peeled === "string" ? found : peeled;
}

/** The id of the commit that a revision names. Throws a {@link GitError} where it names none. */
export async function resolveCommit(repository: Repository, revision: string, signal?: AbortSignal): Promise<string> {
  if (revision === "HEAD") {
    const { oid } = repository.head();
    if (oid !== undefined) return oid;
  }
  const found = await resolvePeeled(repository, revision, signal);
  if (found.type === "commit") return found.oid;
  throw new GitError("invalid", `"${clip(revision)}" is a ${found.type}, not a commit. Give a branch, a tag of a commit, or a commit id.`);
}

async function unknownRevision(
  repository: Repository,
  revision: string,
  reason: "missing" | "ambiguous",
  signal?: AbortSignal,
): Promise<GitError> {
  const notFound = (message: string): GitError => new GitError("not-found", message);
  const quoted = `"${clip(revision)}"`;
  if (reason === "ambiguous") return notFound(`Revision ${quoted} is ambiguous: several objects begin with it. Give more of the id.`);
  if (/^(?:HEAD|@)\b/.test(revision) && (await repository.headCommit(signal)) === undefined)
    return notFound(`Unknown revision ${quoted}: there are no commits yet.`);
  const [, base = ""] = /^(.+?)(?:[~^]\d*)+$/.exec(revision) ?? [];
  const hasBase = base !== "" && typeof (await repository.object(base, undefined, signal)) !== "string";
  if ((hasBase || isFullId(revision)) && existsSync(join(repository.state.commonDir, "shallow")))
    return notFound(
      `Unknown revision ${quoted}: the history of this repository is shallow and may end before it. Fetch the rest with git itself (git fetch --unshallow).`,
    );
  if (hasBase) return notFound(`Unknown revision ${quoted}: "${clip(base)}" has no such parent or ancestor.`);
  const near = suggestNames(revision, ["HEAD", ...(await listRefNames(repository, signal))]);
  if (near.includes(revision) || (await hasRef(repository, ["refs/heads/", "refs/tags/", "refs/remotes/"], revision, signal)))
    return missingObjectOf(revision);
  return notFound(
    `Unknown revision ${quoted}: ${near.length > 0 ? `did you mean ${near.map((name) => `"${name}"`).join(", ")}?` : "git_branch and git_tag list the names."}`,
  );
}
