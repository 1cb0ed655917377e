// The text of a search by name: one path a line, with sizes and times or totals where they were wanted, and a notice where there is more.
import { counted, escapeControls } from "@oarlock/domain-kit";
import { linkEndText } from "../../access/link-end.ts";
import type { Walked } from "../../tree/visitor.ts";
import type { MeasuredEntry, MeasuredResult, Totals } from "./measured-search.ts";
import type { WiderMatch } from "./wider-search.ts";
import { leftOut, type SearchResult } from "./name-search.ts";

/** The text of the reference server, with a notice where there is more. */
export function searchText({ paths, truncated, walked, nextCursor }: SearchResult): string {
  if (paths.length === 0 && !truncated) return "No matches found";
  return withNotice(paths.map(escapeControls), { count: paths.length, truncated, walked, nextCursor });
}

/** The totals first, then a line for each entry. `now`: where times are compared, because a model has no clock. */
export function measuredText({ entries, totals, truncated, walked, nextCursor }: MeasuredResult, now?: Date): string {
  const total = totalsText(totals, walked) + (now === undefined ? "" : `; it is ${inSeconds(now.toISOString())} now`);
  if (entries.length === 0 && !truncated) return total;
  return `${total}\n${withNotice(entries.map(lineOf), { count: entries.length, truncated, walked, nextCursor })}`;
}

export function totalsText({ files, directories, others, bytes }: Totals, walked: Walked): string {
  const rest = others > 0 ? `, ${counted(others, "other entry", "other entries")}` : "";
  const isPart = walked.ended !== undefined || leftOut(walked) > 0;
  const part = isPart ? " (at least: not everything was looked at)" : "";
  if (files + directories + others === 0) return `No matches found${part}`;
  const below = directories > 0 ? `, ${counted(directories, "directory", "directories")}` : "";
  return `${counted(files, "file")} with ${bytes} bytes${below}${rest}${part}`;
}

/**
 * What an empty answer covers. `wider`: what another form of the glob would find.
 * In brackets and in a block of its own, so that the text stays that of the reference server.
 */
export function coverageText(
  { walked: { seen, unreadable }, links }: Pick<SearchResult, "walked" | "links">,
  ignored: boolean,
  wider: WiderMatch | undefined,
): string {
  const facts = [
    `${counted(seen, "entry", "entries")} looked at`,
    ...(ignored ? ["ignored ones left out (see respectGitignore)"] : []),
    ...(links > 0 ? [`${counted(links, "link")} not followed`] : []),
    ...(unreadable > 0 ? [`${counted(unreadable, "directory", "directories")} unreadable`] : []),
  ];
  const hint = wider === undefined ? "" : `; ${escapeControls(wider.glob)} finds ${escapeControls(wider.path)}`;
  return `[${facts.join(", ")}${hint}]`;
}

function lineOf({ path, type, size, modified, ...end }: MeasuredEntry): string {
  const facts = [size === undefined ? type + linkEndText(end) : `${size} bytes`, ...(modified === undefined ? [] : [inSeconds(modified)])];
  return `${escapeControls(path)}: ${facts.join(", ")}`;
}

const inSeconds = (time: string): string => time.replace(/\.\d+Z$/, "Z");

interface Notice extends Pick<SearchResult, "truncated" | "walked"> {
  readonly nextCursor: string | undefined;
  readonly count: number;
}

function withNotice(lines: readonly string[], { count, truncated, walked, nextCursor }: Notice): string {
  if (!truncated) return lines.join("\n");
  const none = count === 0 ? [`nothing in ${counted(walked.seen, "entry", "entries")} so far`] : [];
  const notice = `(${[...none, ...waysOn(walked, nextCursor)].join("; ")})`;
  // Before the paths, because hosts cut the end of a long reply.
  return [notice, ...lines].join("\n");
}

function waysOn(walked: Walked, nextCursor: string | undefined): string[] {
  const ways = nextCursor === undefined ? [] : [`there is more: pass the cursor ${nextCursor} to go on`];
  if (nextCursor === undefined && walked.ended !== undefined) ways.push("the rest was not looked at: narrow the pattern");
  if (leftOut(walked) > 0)
    ways.push(
      `${counted(leftOut(walked), "directory is", "directories are")} too deep or too large to be gone through from here: search in them`,
    );
  return ways;
}
