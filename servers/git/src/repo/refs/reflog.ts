// Where a branch or HEAD has been.
import { lineOf } from "../history/commit-record.ts";
import { textOf } from "../text/file-names.ts";
import { records } from "../process/nul-records.ts";
import { withoutPasswords } from "../safety/credential-redaction.ts";
import type { Repository } from "../repository.ts";

export interface Entry {
  readonly selector: string;
  readonly hash: string;
  readonly date: string;
  readonly message: string;
}

export async function reflogOf(
  repository: Repository,
  ref: string,
  { skip, limit, signal }: { skip: number; limit: number; signal?: AbortSignal },
): Promise<{ entries: Entry[]; more: boolean }> {
  // Before the first commit git finds no HEAD to begin at.
  if (ref === "HEAD" && (await repository.headCommit(signal)) === undefined) return { entries: [], more: false };
  const { stdout } = await repository.run({
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
      "--format=%H%x00%gd%x00%gs",
      ref,
      "--",
    ],
    signal,
  });
  const fields = records(stdout).map(textOf);
  const entries: Entry[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const selector = fields[at + 1] ?? "";
    const [, date = ""] = /@\{(.*)\}$/.exec(selector) ?? [];
    entries.push({
      selector: `${ref.replace(/^refs\/(?:heads|remotes)\//, "")}@{${skip + at / 3}}`,
      hash: fields[at] ?? "",
      date,
      message: lineOf(told(fields[at + 2] ?? "")),
    });
  }
  return { entries: entries.slice(0, limit), more: entries.length > limit };
}

/** Git notes a pull with its arguments, and an address may be among them. What people wrote stays as it is. */
const told = (message: string): string => (/^(?:pull|fetch|clone)\b/.test(message) ? withoutPasswords(message) : message);
