// git:///{repo}/blob/{revision}/{+path} and git:///{repo}/tree/{revision}/{+path}: files and folders as they were in a revision.
import { isUtf8 } from "node:buffer";
import { template } from "@oarlock/server-kit";
import { clip, escapeControls, jsonStringBytes } from "@oarlock/domain-kit";
import { completePath, completeRepository, completeRevision } from "../completion.ts";
import type { Dependencies } from "../dependencies.ts";
import { GitError } from "../repo/errors.ts";
import { parseTree, readObjectAt, type TreeEntry } from "../repo/history/object-at.ts";
import { requireOwnFile } from "../repo/lockdown/hidden-texts.ts";
import { resolveCommit } from "../repo/refs/revision-resolver.ts";
import { isFullId } from "../repo/refs/revision-syntax.ts";
import { nameToText } from "../repo/text/file-names.ts";
import { matchPath } from "./address.ts";
import { IMMUTABLE, readFrom, RESERVED_BYTES } from "./repository-access.ts";

/** base64 takes four bytes for three. */
const BASE64_SHARE = 0.74;

/** Variables of both, and how long a client may keep the contents: those of a full commit id never change. */
const partsOf = (deps: Dependencies) => ({
  complete: { repo: completeRepository(deps), revision: completeRevision(deps), path: completePath(deps) },
  cache: ({ revision }: { revision: string }) => (isFullId(revision) ? IMMUTABLE : {}),
});

export const blob = (deps: Dependencies) =>
  template({
    uri: "git:///{repo}/blob/{revision}/{+path}",
    name: "blob",
    title: "File at a revision",
    description: "A file as it was in a revision.",
    match: matchPath("blob"),
    ...partsOf(deps),
    read: ({ repo, revision, path }, ctx, uri) =>
      readFrom(deps, { repo, uri }, ctx, async (repository) => {
        const maxBytes = deps.maxResultBytes - RESERVED_BYTES - 2 * jsonStringBytes(uri);
        const hash = await resolveCommit(repository, revision, ctx.signal);
        const { bytes, size, type } = await readObjectAt(repository, hash, path, maxBytes, ctx.signal);
        if (type !== "blob") throw new GitError("invalid", `${clip(path)} is a folder: read it as git:///…/tree/….`);
        await requireOwnFile(repository, hash, path, ctx.signal);
        const isText = size <= maxBytes && !bytes.includes(0) && isUtf8(bytes);
        const text = isText ? bytes.toString("utf8") : undefined;
        if (text !== undefined && jsonStringBytes(text) <= maxBytes) return { text, mimeType: "text/plain" };
        if (size <= maxBytes * BASE64_SHARE) return { blob: bytes.toString("base64"), mimeType: "application/octet-stream" };
        throw new GitError(
          "too-large",
          `${clip(path)} has ${size} bytes, more than one reply holds: git_show with path shows its beginning.`,
        );
      }),
  });

export const tree = (deps: Dependencies) =>
  template({
    uri: "git:///{repo}/tree/{revision}/{+path}",
    name: "tree",
    title: "Folder at a revision",
    description: "The entries of a folder as they were in a revision; an empty path is the top.",
    mimeType: "text/plain",
    match: matchPath("tree"),
    ...partsOf(deps),
    read: ({ repo, revision, path }, ctx, uri) =>
      readFrom(deps, { repo, uri }, ctx, async (repository) => {
        const commit = await resolveCommit(repository, revision, ctx.signal);
        const maxBytes = Math.floor(deps.maxResultBytes / 4);
        const { bytes, type, size } = await readObjectAt(repository, commit, path.replace(/\/$/, "") || ".", maxBytes, ctx.signal);
        if (type !== "tree") throw new GitError("invalid", `${clip(path)} is a file: read it as git:///…/blob/….`);
        const lines = parseTree(bytes, commit.length / 2).map(entryLine);
        return lines.join("") + (size > bytes.length ? "[truncated: the folder holds more]\n" : "");
      }),
  });

const entryLine = ({ mode, type, hash, name }: TreeEntry): string => `${mode} ${type} ${hash}\t${escapeControls(nameToText(name))}\n`;
