// The reflog: where HEAD or a branch has been.
import { splitRecords } from "../process/nul-records.ts";
import { HIDDEN } from "../lockdown/trusted-authors.ts";
import type { Repository } from "../repository.ts";
import { redactCredentials } from "../safety/credential-redaction.ts";
import { decodeText, nameFromText } from "../text/file-names.ts";
import { truncateLine } from "./commit-record.ts";

export interface ReflogEntry {
  readonly selector: string;
  readonly hash: string;
  readonly date: string;
  readonly message: string;
}

export interface ReflogOptions {
  readonly skip: number;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

const FIELD_COUNT = 4;

/** `ref`: "HEAD" or a full name. */
export async function readReflog(
  repository: Repository,
  ref: string,
  { skip, limit, signal }: ReflogOptions,
): Promise<{ entries: ReflogEntry[]; hasMore: boolean }> {
  // Before the first commit git fails, as HEAD names no commit.
  if (ref === "HEAD" && (await repository.headCommit(signal)) === undefined) return { entries: [], hasMore: false };
  const { stdout } = await repository.read({
    args: [
      "log",
      "--walk-reflogs",
      "-z",
      "--no-patch",
      "--no-color",
      "--no-ext-diff",
      "--no-textconv",
      "--no-show-signature",
      `--max-count=${limit + 1}`,
      `--skip=${skip}`,
      "--date=iso-strict",
      "--format=%H%x00%ae%x00%gd%x00%gs",
      nameFromText(ref),
      "--",
    ],
    signal,
  });
  const fields = splitRecords(stdout).map(decodeText);
  const shortRef = ref.replace(/^refs\/(?:heads|remotes)\//, "");
  const entries: ReflogEntry[] = [];
  for (let at = 0; at + FIELD_COUNT <= fields.length; at += FIELD_COUNT) {
    const [hash = "", email = "", selector = "", given = ""] = fields.slice(at, at + FIELD_COUNT);
    // Such as `cherry-pick: subject of the commit`.
    const message = repository.isTrusted?.(email) === false ? given.replace(/: .*/s, `: ${HIDDEN}`) : given;
    const [, date = ""] = /@\{(.*)\}$/.exec(selector) ?? [];
    entries.push({ selector: `${shortRef}@{${skip + entries.length}}`, hash, date, message: truncateLine(withoutCredentials(message)) });
  }
  return { entries: entries.slice(0, limit), hasMore: entries.length > limit };
}

/** git records a pull with its arguments, which may hold an address. Messages of people stay as they are. */
const withoutCredentials = (message: string): string => (/^(?:pull|fetch|clone)\b/.test(message) ? redactCredentials(message) : message);
