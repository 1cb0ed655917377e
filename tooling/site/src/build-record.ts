// BuildRecord: of which state of the repository the site was built. Also lets only one process build at a time.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FileLock } from "../../build/file-lock.ts";
import { ROOT } from "./gather.ts";

const CACHE = fileURLToPath(new URL("../node_modules/.cache", import.meta.url));
const RECORD = join(CACHE, "site-built-from");

export class BuildRecord implements Disposable {
  readonly #site: string;
  readonly #fingerprint: string;
  readonly #lock = new FileLock(join(CACHE, "site-lock.db"));

  /** Waits until no other process builds. */
  constructor(site: string) {
    this.#site = site;
    this.#fingerprint = fingerprintOf(ROOT);
  }

  /** Whether the site was built from the repository as it is. */
  isCurrent(): boolean {
    return existsSync(RECORD) && readFileSync(RECORD, "utf8") === this.#text();
  }

  clear(): void {
    rmSync(RECORD, { force: true });
  }

  write(): void {
    writeFileSync(RECORD, this.#text());
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]();
  }

  /** With the time of a file that each build writes: a build that keeps no record, as of an older commit, makes this one invalid. */
  #text(): string {
    const builtAt = statSync(join(this.#site, "hashmap.json"), { throwIfNoEntry: false })?.mtimeMs;
    return `${this.#fingerprint} ${builtAt}`;
  }
}

/** A digest of all files that git does not ignore. */
function fingerprintOf(folder: string): string {
  const list = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: folder, encoding: "utf8", maxBuffer: 64 << 20 });
  const digest = createHash("sha256");
  for (const file of list.split("\0").filter((path) => path !== "" && existsSync(join(folder, path))))
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update("\0");
  return digest.digest("hex");
}
