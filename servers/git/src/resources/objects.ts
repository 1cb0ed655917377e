// git:///{repo}/blob/{revision}/{+path} and git:///{repo}/tree/{revision}/{+path}: files and folders as they were.
import { template } from "@oarlock/server-kit";
import { isUtf8 } from "node:buffer";
import { completePath, completeRepository, completeRevision } from "../completion.ts";
import type { Parts } from "../dependencies.ts";
import { GitError, clip } from "../repo/errors.ts";
import { nameOf, shown } from "../repo/text/file-names.ts";
import { isFullId } from "../repo/refs/revision-syntax.ts";
import { entriesOfTree, objectAt } from "../repo/history/show.ts";
import { wireBytes } from "../repo/text/json-size.ts";
import { withPath } from "./address.ts";
import { forGood, found, read } from "./repository-access.ts";

export const blob = (parts: Parts) =>
  template({
    uri: "git:///{repo}/blob/{revision}/{+path}",
    name: "blob",
    title: "File at a revision",
    description: "A file as it was in a revision.",
    match: withPath("blob"),
    cache: ({ revision }) => (isFullId(revision) ? forGood : {}),
    complete: { repo: completeRepository(parts), revision: completeRevision(parts), path: completePath(parts) },
    read: ({ repo, revision, path }, ctx, uri) =>
      found(uri, async () => {
        const repository = await read(parts, repo, ctx);
        const room = parts.maxResultBytes - 1000 - 2 * wireBytes(uri);
        const { bytes, size, type } = await objectAt(repository, await repository.commit(revision, ctx.signal), path, room, ctx.signal);
        if (type !== "blob") throw new GitError("invalid", `${clip(path)} is a folder: read it as git:///…/tree/…`);
        const isText = !bytes.includes(0) && isUtf8(bytes);
        const text = isText && size <= room ? bytes.toString("utf8") : undefined;
        if (text !== undefined && wireBytes(text) <= room) return { text, mimeType: "text/plain" };
        if (size > room * 0.74)
          throw new GitError(
            "too-large",
            `${clip(path)} has ${size} bytes, more than one reply holds; git_show with path shows its beginning.`,
          );
        return { blob: bytes.toString("base64"), mimeType: "application/octet-stream" };
      }),
  });

export const tree = (parts: Parts) =>
  template({
    uri: "git:///{repo}/tree/{revision}/{+path}",
    name: "tree",
    title: "Folder at a revision",
    description: "The entries of a folder as they were in a revision; an empty path is the top.",
    mimeType: "text/plain",
    match: withPath("tree"),
    cache: ({ revision }) => (isFullId(revision) ? forGood : {}),
    complete: { repo: completeRepository(parts), revision: completeRevision(parts), path: completePath(parts) },
    read: ({ repo, revision, path }, ctx, uri) =>
      found(uri, async () => {
        const repository = await read(parts, repo, ctx);
        const hash = await repository.commit(revision, ctx.signal);
        const { bytes, type, size } = await objectAt(
          repository,
          hash,
          path.replace(/\/$/, "") || ".",
          Math.floor(parts.maxResultBytes / 4),
          ctx.signal,
        );
        if (type !== "tree") throw new GitError("invalid", `${clip(path)} is a file: read it as git:///…/blob/…`);
        const lines = entriesOfTree(bytes, hash.length / 2).map(
          ({ mode, type: kind, hash: id, name }) => `${mode} ${kind} ${id}\t${shown(nameOf(name))}\n`,
        );
        return lines.join("") + (size > bytes.length ? "[truncated: the folder holds more]\n" : "");
      }),
  });
