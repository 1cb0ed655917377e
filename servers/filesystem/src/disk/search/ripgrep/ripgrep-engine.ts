// The search engine on ripgrep.
import { isWindows, platform } from "../../../platform.ts";
import { isInside, withSeparator } from "../../access/path-syntax.ts";
import type { FilesSearch, SearchEnd, SearchEngine, SearchEvent } from "../contents/engine.ts";
import { directoryArguments, filesArguments } from "./arguments.ts";
import { hitWindow } from "./hit-window.ts";
import { JsonMessages } from "./json-messages.ts";
import { MultilineBlocks } from "./multiline-blocks.ts";
import { patternError } from "./pattern-error.ts";
import { runRipgrep, type RipgrepExit } from "./ripgrep-process.ts";

const FIRST_FD = 3;
const ZERO = "0".charCodeAt(0);
const NUL = 0;
const NEWLINE = 10;

/** Windows cannot name the open files of a child process: there each file is the standard input of a run of its own. */
export interface RipgrepOptions {
  readonly filesByStdin: boolean;
}

export function ripgrepEngine(binary: string, { filesByStdin }: RipgrepOptions = { filesByStdin: isWindows }): SearchEngine {
  return {
    name: "ripgrep",
    async searchDirectory({ directory, options, filter, signal, onFile }) {
      let rest: Buffer = Buffer.alloc(0);
      const exit = await runRipgrep(binary, {
        args: directoryArguments(options, [...systemDirectories(directory.path), ...filter.ripgrepArguments]),
        cwd: directory.self,
        signal,
        onOutput(chunk) {
          rest = readFileCounts(Buffer.concat([rest, chunk]), onFile);
          return false;
        },
      });
      return endOf(exit);
    },
    searchFiles: (search) => (filesByStdin ? searchOneByOne(binary, search) : searchTogether(binary, search)),
  };
}

async function searchTogether(binary: string, { fds, options, signal, onEvent }: FilesSearch): Promise<SearchEnd> {
  // On Linux the name leads to the file itself, elsewhere to the handle.
  const folder = platform === "linux" ? "/proc/self/fd" : "/dev/fd";
  const names = fds.map((_, index) => `${folder}/${FIRST_FD + index}`);
  const indexes = new Map(names.map((name, index) => [name, index]));
  const onOutput = reader(options, (name) => indexes.get(name), onEvent, fds);
  return endOf(await runRipgrep(binary, { args: filesArguments(options, names), cwd: "/", fds, signal, onOutput }));
}

async function searchOneByOne(binary: string, { fds, options, signal, onEvent }: FilesSearch): Promise<SearchEnd> {
  let isEnded = false;
  const onEventOrEnd = (event: SearchEvent): boolean => (isEnded ||= onEvent(event));
  let incomplete = false;
  for (const [index, stdin] of fds.entries()) {
    if (isEnded || signal.aborted) break;
    const onOutput = reader(options, () => index, onEventOrEnd, fds);
    const end = endOf(await runRipgrep(binary, { args: filesArguments(options, ["-"]), cwd: process.cwd(), stdin, signal, onOutput }));
    incomplete ||= end.incomplete;
  }
  return { incomplete };
}

/** A reader of the output for open files: JSON lines where lines are shown, else names and counts. */
function reader(
  { outputMode = "content", multiline = false, contextLines = 0, encoding }: FilesSearch["options"],
  fileOf: (name: string) => number | undefined,
  onEvent: (event: SearchEvent) => boolean,
  fds: readonly number[],
): (chunk: Buffer) => boolean {
  if (multiline && outputMode !== "files") {
    const blocks = new MultilineBlocks(fileOf, onEvent, outputMode === "content" ? contextLines : 0);
    return (chunk) => blocks.push(chunk);
  }
  if (outputMode === "content") {
    const messages = new JsonMessages(fileOf, onEvent, (file, place) => hitWindow(fds[file] ?? -1, place, encoding));
    return (chunk) => messages.push(chunk);
  }
  // `NAME NUL`, and where lines are counted `COUNT newline`.
  const pattern = outputMode === "count" ? /([^\0]*)\0(\d+)\r?\n/g : /([^\0]*)\0/g;
  let rest = "";
  return (chunk) => {
    rest += chunk.toString("latin1");
    for (const [whole, name = "", count = "0"] of rest.matchAll(pattern)) {
      rest = rest.slice(whole.length);
      const file = fileOf(name);
      if (file !== undefined && (onEvent({ type: "begin", file }) || onEvent({ type: "end", count: Number(count) }))) return true;
    }
    return false;
  };
}

/** `NAME NUL COUNT newline` for each file; returns the rest. */
function readFileCounts(bytes: Buffer, onFile: (name: string, matches: boolean) => void): Buffer {
  let from = 0;
  for (let end = bytes.indexOf(NUL); end !== -1; end = bytes.indexOf(NUL, from)) {
    const newline = bytes.indexOf(NEWLINE, end);
    if (newline === -1) break;
    const name = bytes.toString("utf8", from, end);
    // A name that is not UTF-8 cannot be opened by text.
    if (!name.includes("\ufffd")) onFile(name.startsWith("./") ? name.slice(2) : name, bytes[end + 1] !== ZERO);
    from = newline + 1;
  }
  return bytes.subarray(from);
}

/** Files of the system that never end when they are read. */
const systemDirectories = (directory: string): string[] =>
  platform === "linux"
    ? ["/proc", "/sys", "/dev"]
        .filter((path) => isInside(path, directory) && path !== directory)
        .map((path) => `--glob=!/${path.slice(withSeparator(directory).length)}`)
    : [];

function endOf({ code, errors }: RipgrepExit): SearchEnd {
  if (code === 2 && errors.trim() !== "") throw patternError(errors);
  return { incomplete: code === 2 };
}
