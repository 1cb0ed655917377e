// Parses the output of `git blame --porcelain`.
import { HIDDEN, type IsTrusted } from "../lockdown/trusted-authors.ts";
import { decodeText } from "../text/file-names.ts";

export interface Hunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly hash: string;
  readonly author: string;
  /** ISO 8601 in the author's time zone. */
  readonly date: string;
  readonly summary: string;
  /** The lines and the summary are hidden by --lockdown. */
  readonly hidden?: true;
  /** The history of a shallow clone ends at this commit: the lines may be older. */
  readonly boundary?: true;
  /** The name that the file had in the commit, where it differs. */
  readonly oldPath?: string;
}

interface BlamedCommit {
  author: string;
  /** Undefined where it is trusted. */
  hidden?: true;
  date: string;
  summary: string;
  file: string;
}

interface LineGroup {
  readonly start: number;
  readonly count: number;
  readonly hash: string;
  readonly commit: BlamedCommit;
}

/** The hunks of a file in the order of its lines. `path`: its name now. `isTrusted`: the hunks of other authors are hidden. */
export function parseBlame(output: Buffer, path: string, isTrusted?: IsTrusted): Hunk[] {
  const groups = parseGroups(output.toString("latin1"), isTrusted).sort((one, other) => one.start - other.start);
  return mergeNeighbours(groups, path);
}

/**
 * `output` holds a letter for each byte. Only the few fields that are shown are decoded: the lines of the file, which make up most of
 * the output, are read from the file itself.
 */
function parseGroups(output: string, isTrusted: IsTrusted | undefined): LineGroup[] {
  const groups: LineGroup[] = [];
  const commits = new Map<string, BlamedCommit>();
  let at = 0;
  const nextLine = (): string => {
    const end = output.indexOf("\n", at);
    const text = output.slice(at, end === -1 ? output.length : end);
    at = end === -1 ? output.length : end + 1;
    return text;
  };
  while (at < output.length) {
    const [hash = "", , start = "0", count] = nextLine().split(" ");
    const fields = new Map<string, string>();
    for (let line = nextLine(); !line.startsWith("\t") && at < output.length; line = nextLine()) {
      const end = line.indexOf(" ");
      if (end !== -1) fields.set(line.slice(0, end), line.slice(end + 1));
    }
    // Only the first line of a group has a count.
    if (count === undefined) continue;
    const commit = { ...(commits.get(hash) ?? { author: "", date: "", summary: "", file: "" }), ...commitOf(fields, isTrusted) };
    commits.set(hash, commit);
    groups.push({ start: Number(start), count: Number(count), hash, commit });
  }
  return groups;
}

/** git prints the fields of a commit once, and its file name again for each group. */
function commitOf(fields: ReadonlyMap<string, string>, isTrusted: IsTrusted | undefined): Partial<BlamedCommit> {
  const commit: Partial<BlamedCommit> = {};
  const author = fields.get("author");
  const zone = fields.get("author-tz");
  const summary = fields.get("summary");
  const file = fields.get("filename");
  if (author !== undefined) commit.author = decodeLatin1(author);
  if (zone !== undefined) commit.date = isoDate(Number(fields.get("author-time")), zone);
  if (summary !== undefined) commit.summary = decodeLatin1(summary);
  const [, address] = /^<(.*)>$/.exec(decodeLatin1(fields.get("author-mail") ?? "")) ?? [];
  if (address !== undefined && isTrusted?.(address) === false) Object.assign(commit, { hidden: true, summary: HIDDEN });
  if (file !== undefined) commit.file = decodeLatin1(file);
  return commit;
}

const decodeLatin1 = (bytes: string): string => decodeText(Buffer.from(bytes, "latin1"));

function isoDate(seconds: number, zone: string): string {
  const [, sign = "+", hours = "00", minutes = "00"] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? [];
  const shift = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60;
  const time = new Date((seconds + shift) * 1000);
  return Number.isNaN(time.getTime()) ? "" : `${time.toISOString().slice(0, 19)}${sign}${hours}:${minutes}`;
}

/** git begins a new group wherever lines were apart in the old file; those of one commit that adjoin are one hunk. */
function mergeNeighbours(groups: readonly LineGroup[], path: string): Hunk[] {
  const hunks: { -readonly [K in keyof Hunk]: Hunk[K] }[] = [];
  for (const { start, count, hash, commit } of groups) {
    const last = hunks.at(-1);
    const { file, ...facts } = commit;
    const oldPath = file === path || file.startsWith('"') ? undefined : file;
    const isAdjoining = last !== undefined && last.hash === hash && last.endLine + 1 === start && last.oldPath === oldPath;
    if (isAdjoining) last.endLine = start + count - 1;
    else hunks.push({ startLine: start, endLine: start + count - 1, hash, ...facts, ...(oldPath !== undefined && { oldPath }) });
  }
  return hunks;
}
