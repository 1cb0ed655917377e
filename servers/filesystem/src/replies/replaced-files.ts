// The texts of replace_in_files: the question to the user, and what was or would be replaced, file by file.
import { counted, escapeControls, jsonStringBytes } from "@oarlock/domain-kit";
import type { ReplacedFile, ReplacePlan } from "../disk/replace/replace-in-files.ts";
import { displayedSkipped, leftOutLines } from "../disk/search/contents/skipped-text.ts";

/** `content`: what stands first is the sum; as many files are listed as fit. */
export function replacedText(
  { files, failed, filesSearched, unsearched, leftOut }: ReplacePlan,
  { isDone, maxBytes }: { isDone: boolean; maxBytes: number },
): string {
  const rest =
    leftOut === 0
      ? []
      : [`${counted(leftOut, "more file has", "more files have")} it: hidden or ignored (see includeHidden, respectGitignore).`];
  if (files.length === 0 && failed.length === 0) {
    const nothing = `No matches found in ${counted(filesSearched, "text file")}; nothing was replaced.`;
    return [nothing, ...leftOutLines(unsearched), ...rest].join("\n");
  }
  const act = isDone ? "Replaced" : "Would replace";
  const lines = [
    ...files.map(({ path, replacements }) => `${escapeControls(path)}: ${replacements}`),
    ...failed.map(({ path, error = "" }) => `${escapeControls(path)}: not replaced: ${error}`),
  ];
  let bytes = 0;
  const listed = lines.filter((line) => (bytes += 2 * jsonStringBytes(line)) <= maxBytes);
  const unlisted = lines.length - listed.length;
  return [
    `${act} ${sumOf(files)}${failed.length === 0 ? ":" : `, and not in ${counted(failed.length, "file")}:`}`,
    ...listed,
    ...(unlisted > 0 ? [`(and ${counted(unlisted, "more file")} that are not listed)`] : []),
    ...rest,
  ].join("\n");
}

/** The same with paths as the caller writes them, in errors too. */
export function withDisplayPaths(plan: ReplacePlan, displayPath: (path: string) => string): ReplacePlan {
  const [files = [], failed = []] = [plan.files, plan.failed].map((list) =>
    list.map(({ path, error, ...rest }) => ({
      ...rest,
      path: displayPath(path),
      ...(error !== undefined && { error: error.replaceAll(path, displayPath(path)) }),
    })),
  );
  const { skipped } = plan.unsearched;
  return { ...plan, files, failed, unsearched: { ...plan.unsearched, skipped: skipped && displayedSkipped(skipped, displayPath) } };
}

export function sumOf(files: readonly ReplacedFile[]): string {
  const sum = files.reduce((total, { replacements }) => total + replacements, 0);
  return `${counted(sum, "match", "matches")} in ${counted(files.length, "file")}`;
}

export function replaceQuestion(path: string, files: readonly ReplacedFile[], isKept: boolean): string {
  const loss = isKept ? "The server keeps the files as they are now for 14 days, and can bring them back." : "What is there now is lost.";
  return `Replace ${sumOf(files)} below ${escapeControls(path)}? ${loss}`;
}
