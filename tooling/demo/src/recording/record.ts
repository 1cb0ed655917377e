// Records: runs the commands of a recording in a folder of their own, with the built client and servers on the PATH.
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { tempFolder } from "@oarlock/testing";
import type { Recording } from "./recordings.ts";
import { runInTerminal, type Line } from "./terminal-run.ts";

export interface Recorded {
  readonly command: string;
  readonly lines: readonly Line[];
}

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const BINARIES = {
  client: "packages/client",
  filesystem: "servers/filesystem",
  git: "servers/git",
  sqlite: "servers/sqlite",
  memory: "servers/memory",
};
/** Stands for the folder of the run. */
const HOME = "/home/ada";

export async function record({ prepare, commands }: Recording): Promise<Recorded[]> {
  await using folder = tempFolder();
  const [bin, work] = [folder.at("bin"), folder.at("boats")];
  for (const path of [bin, work]) mkdirSync(path);
  for (const [name, path] of Object.entries(BINARIES)) symlinkSync(join(ROOT, path, "dist/bin.js"), join(bin, `oarlock-${name}`));
  const env = {
    PATH: [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter),
    HOME: folder.path,
    TERM: "xterm",
    LANG: "C.UTF-8",
    GIT_CONFIG_GLOBAL: "/dev/null",
    OARLOCK_LOG_LEVEL: "error", // without the line that says that a server is ready
  };
  prepare(work, env);
  const recorded: Recorded[] = [];
  for (const { line, answers } of commands) {
    const lines = await runInTerminal(line, answers, work, env);
    const portable = lines.map((one) => ({ ...one, text: one.text.replaceAll(work, `${HOME}/boats`).replaceAll(folder.path, HOME) }));
    recorded.push({ command: line, lines: portable });
  }
  return recorded;
}

/** The lines of a terminal, with the command. */
export const linesOf = ({ command, lines }: Recorded): string[] => [`$ ${command}`, ...lines.map(({ text, answer }) => text + answer)];

/** A text of a terminal without what differs from run to run: dates, durations, the ids of changes, and where lines break. */
export const comparable = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, "DATE")
    .replaceAll(/\d+\s+ms\b/g, "DURATION")
    .replaceAll(/\bid [0-9a-z]{10,}/g, "ID")
    .replaceAll(/\s+/g, "");
