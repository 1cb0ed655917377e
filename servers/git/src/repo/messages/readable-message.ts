// What git prints, as a caller may read it: without paths of this machine, credentials and advice for people at a terminal.
import { escapeControls } from "@oarlock/domain-kit";
import { platform } from "../../platform.ts";
import type { RepositoryPaths } from "../process/repository-paths.ts";
import { redactCredentials } from "../safety/credential-redaction.ts";

export const MAX_MESSAGE_LENGTH = 2000;

/** How a path may stand in a message: git for Windows writes it with slashes. */
export const spellings = (path: string, of: NodeJS.Platform = platform): string[] =>
  of === "win32" ? [path, path.replaceAll("\\", "/")] : [path];

/** git's message without advice for people at a terminal, absolute paths of the git directory, and credentials. */
export function readableMessage({ top, gitDir, commonDir }: RepositoryPaths, stderr: string, of: NodeJS.Platform = platform): string {
  const lines = stderr
    .replaceAll("\r", "\n")
    .replace(/^usage: git [^]*/m, "")
    .split("\n")
    .map((line) => line.replace(/^(?:fatal|error|warning): |^\t/, "").trimEnd())
    .filter(
      (line) => line !== "" && !line.startsWith("hint:") && !/^(?:Aborting|Did you forget|Use '--' to separate|'git <command>)/.test(line),
    )
    .filter((line, at, all) => line !== all[at - 1]);
  let text = lines.join("\n");
  for (const path of [gitDir, commonDir].flatMap((folder) => spellings(folder, of))) text = text.replaceAll(path, ".git");
  text = redactCredentials(text).replaceAll(/[^\n]+/g, escapeControls);
  for (const path of spellings(top, of)) {
    // A neighbouring folder whose name begins like the top keeps its own name.
    const parts = text.replaceAll(`${path}/`, "").split(path);
    text = parts.reduce((before, after) => before + (/^[\w.-]*\w/.test(after) ? path : ".") + after);
  }
  return text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text;
}
