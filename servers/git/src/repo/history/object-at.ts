// A file or folder as it was in a revision.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { Repository } from "../repository.ts";
import { pathArgument, relativePath } from "../safety/path-resolver.ts";
import { nameFromText } from "../text/file-names.ts";
import { suggestPaths } from "./similar-paths.ts";

export interface ObjectAt {
  readonly oid: string;
  readonly path: string;
  readonly type: "blob" | "tree" | "commit";
  readonly size: number;
  /** The first bytes of the content. */
  readonly bytes: Buffer;
}

/** The object at a path in a commit, with at most `maxBytes` of its content. Throws a {@link GitError} if there is none. */
export async function readObjectAt(
  repository: Repository,
  commit: string,
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<ObjectAt> {
  const relative = relativePath(repository, path);
  const name = /[\n\r]/.test(relative)
    ? await idAt(repository, commit, relative, signal)
    : Buffer.concat([Buffer.from(`${commit}:`), relative === "." ? Buffer.alloc(0) : nameFromText(relative)]);
  const found = name === undefined ? "missing" : await repository.object(name, maxBytes, signal);
  if (typeof found === "string") throw await missingObject(repository, commit, path, signal);
  const { oid, size, bytes } = found;
  // Besides files and folders a path can only lead to the commit of a submodule.
  const type = found.type === "tree" || found.type === "blob" ? found.type : "commit";
  return { oid, path: relative, type, size, bytes };
}

/** The id of the object at a path with a line break, which the object reader cannot take: its requests are lines. */
async function idAt(repository: Repository, commit: string, path: string, signal?: AbortSignal): Promise<string | undefined> {
  const { stdout } = await repository.read({ args: ["ls-tree", "-z", commit, "--", pathArgument(repository, path)], signal });
  return /^\d+ (?:blob|tree) ([0-9a-f]+)\t/.exec(stdout.toString("latin1"))?.[1];
}

async function missingObject(repository: Repository, commit: string, path: string, signal?: AbortSignal): Promise<GitError> {
  const result = await repository.tryRead({ args: ["ls-tree", "-z", commit, "--", pathArgument(repository, path)], signal });
  if (result.exitCode !== 0) return gitFailure(repository, result, ["ls-tree"]);
  if (result.stdout.length === 0) {
    const nextStep = (await suggestPaths(repository, commit, relativePath(repository, path), signal)) ?? "List its folder with git_show.";
    return new GitError("not-found", `There is no ${clip(path)} in ${commit.slice(0, 12)}. ${nextStep}`);
  }
  if (result.stdout.toString("latin1", 0, 6) === "160000")
    return new GitError("invalid", `${clip(path)} is a submodule: its files are in a repository of its own. Open that repository.`);
  const [, id = ""] = /^\d+ \w+ ([0-9a-f]+)/.exec(result.stdout.toString("latin1")) ?? [];
  return new GitError(
    "failed",
    `The content of ${clip(path)} (${id}) is missing: this is a partial clone, and only the remote has it. Fetch it with git itself first.`,
  );
}

export interface TreeEntry {
  readonly mode: string;
  readonly type: "blob" | "tree" | "commit";
  readonly hash: string;
  readonly name: Buffer;
}

/** Parses a tree object. Its last entry may be cut. `idBytes`: 20 for SHA-1, 32 for SHA-256. */
export function parseTree(bytes: Buffer, idBytes: number): TreeEntry[] {
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    const blank = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, blank);
    if (blank === -1 || end === -1 || end + 1 + idBytes > bytes.length) break;
    const mode = modeOf(Number.parseInt(bytes.toString("latin1", at, blank), 8));
    const type = mode === "040000" ? "tree" : mode === "160000" ? "commit" : "blob";
    const hash = bytes.toString("hex", end + 1, end + 1 + idBytes);
    entries.push({ mode, type, hash, name: bytes.subarray(blank + 1, end) });
    at = end + 1 + idBytes;
  }
  return entries;
}

/** Old programs wrote modes with more zeros, or with other rights: git takes them for one of these. */
function modeOf(mode: number): string {
  const kind = mode & 0o170000;
  if (kind === 0o100000) return (mode & 0o100) === 0 ? "100644" : "100755";
  if (kind === 0o120000) return "120000";
  return kind === 0o040000 ? "040000" : "160000";
}
