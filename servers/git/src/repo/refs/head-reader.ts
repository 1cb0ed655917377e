// Reads HEAD from the files of a repository, as git does, without starting a process.
import { isUtf8 } from "node:buffer";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Head } from "../process/repository-paths.ts";
import { fileSignature } from "../safety/git-directory/git-directory-check.ts";
import type { RepositoryState } from "../safety/repository-state.ts";
import { nameToText } from "../text/file-names.ts";
import { isFullId } from "./revision-syntax.ts";

const MAX_PACKED_BYTES = 32 * 1024 * 1024;
const MAX_REF_BYTES = 4096;

export class HeadReader {
  readonly #state: RepositoryState;
  #packedSignature = "";
  #packedText = "";

  constructor(state: RepositoryState) {
    this.#state = state;
  }

  /** Empty where the refs are not kept in files (reftable). */
  read(): Head {
    const { gitDir, commonDir, config } = this.#state;
    if (config.some(({ key, value }) => key === "extensions.refstorage" && value !== "files")) return {};
    const text = readRefFile(join(gitDir, "HEAD"), "latin1");
    if (text === undefined) return {};
    const id = text.toLowerCase();
    if (isFullId(id)) return { oid: id };
    // git takes no name with two dots; as a path it would lead out of the folder of branches.
    const [, name] = /^ref:\s*refs\/heads\/(?!.*\.\.)([^\s\0]+)$/.exec(text) ?? [];
    if (name === undefined) return {};
    const bytes = Buffer.from(name, "latin1");
    const branch = nameToText(bytes);
    const file = isUtf8(bytes)
      ? join(commonDir, "refs/heads", branch)
      : Buffer.concat([Buffer.from(join(commonDir, "refs/heads/")), bytes]);
    const oid = (readRefFile(file) ?? this.#packedRef(`refs/heads/${name}`))?.toLowerCase();
    return oid !== undefined && isFullId(oid) ? { branch, oid } : { branch };
  }

  /** Whether packed-refs holds a ref whose name begins so. */
  hasPackedRefBelow(prefix: string): boolean {
    this.#readPacked();
    return this.#packedText.includes(` ${prefix}`);
  }

  /** `ref`: a letter for each byte. */
  #packedRef(ref: string): string | undefined {
    this.#readPacked();
    const end = this.#packedText.indexOf(` ${ref}\n`);
    return end === -1 ? undefined : this.#packedText.slice(this.#packedText.lastIndexOf("\n", end) + 1, end);
  }

  /** Reads packed-refs again when it has changed. */
  #readPacked(): void {
    const path = join(this.#state.commonDir, "packed-refs");
    const signature = fileSignature(path);
    if (signature !== this.#packedSignature) {
      this.#packedSignature = signature;
      const stat = lstatSync(path, { throwIfNoEntry: false });
      this.#packedText = stat?.isFile() === true && stat.size <= MAX_PACKED_BYTES ? readFileSync(path, "latin1") : "";
    }
  }
}

/** Without blanks at the end; undefined where there is no plain file, or a long one. */
export function readRefFile(path: string | Buffer, encoding: "utf8" | "latin1" = "utf8"): string | undefined {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size < MAX_REF_BYTES ? readFileSync(path, encoding).trimEnd() : undefined;
  } catch {
    return undefined;
  }
}
