// One commit with its diff against its first parent.
import { COMMIT_FIELD_COUNT, COMMIT_FORMAT, decodeCommitFields, parseCommit, type Commit } from "../history/commit-record.ts";
import { withoutHidden, hidesPatches } from "../lockdown/hidden-texts.ts";
import { markBoundaries, noticeHistoryLimits } from "../limits/history-limits.ts";
import type { Repository } from "../repository.ts";
import { DiffPage, type Diff, type DiffPageOptions } from "./diff.ts";
import type { DiffParser } from "./diff-parser.ts";

export interface CommitDiff {
  readonly commit: Commit;
  readonly diff: Diff;
}

export async function readCommitDiff(repository: Repository, hash: string, given: DiffPageOptions): Promise<CommitDiff> {
  const isHidden = await hidesPatches(repository, given, () => commitsOf(repository, hash, given.signal));
  const options = isHidden ? { ...given, format: "stat" as const } : given;
  const page = new DiffPage(repository, ["show", repository.state.gitDir, hash, options.contextLines, options.format], options);
  const parser = new CommitParser(page.parser);
  const format = [`--format=${COMMIT_FORMAT}`, "--no-show-signature", "--decorate=short", "--diff-merges=first-parent"];
  await page.read({ args: ["show", ...format, ...page.arguments, hash] }, parser);
  const parsed = withoutHidden(repository, parseCommit(decodeCommitFields(parser.fields)));
  const [commit = parsed] = markBoundaries(repository, [parsed]);
  await noticeHistoryLimits(repository, { listed: [hash], signal: options.signal });
  return { commit, diff: page.result() };
}

/** What a commit brings beside its first parent, for `git log`: of a merge, also the commits that it merges. */
async function commitsOf(repository: Repository, hash: string, signal?: AbortSignal): Promise<string[]> {
  const { stdout } = await repository.read({ args: ["rev-list", "--parents", "--max-count=1", hash], signal });
  const [, parent] = stdout.toString("latin1").trim().split(" ");
  return parent === undefined ? [hash] : [`${parent}..${hash}`];
}

/** Reads the fields of the commit and hands the rest on. */
class CommitParser {
  readonly fields: Buffer[] = [];
  readonly #diff: DiffParser;
  #rest: Buffer = Buffer.alloc(0);

  constructor(diff: DiffParser) {
    this.#diff = diff;
  }

  push(chunk: Buffer): void {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = Buffer.alloc(0);
    while (this.fields.length < COMMIT_FIELD_COUNT) {
      const end = data.indexOf(0);
      if (end === -1) {
        this.#rest = data;
        return;
      }
      this.fields.push(data.subarray(0, end));
      data = data.subarray(end + 1);
    }
    this.#diff.push(data);
  }

  end(): void {
    this.#diff.end();
  }
}
