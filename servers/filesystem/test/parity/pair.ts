// The official server and ours side by side, each over stdio on a folder of its own, asked the same by one raw client.
import { mkdirSync, readFileSync, readdirSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startRaw, tempFolder, listTree, writeTree, type RawProcess, type TempFolder, type Tree } from "@oarlock/testing";
import type { Json, Tool } from "@oarlock/server-kit/protocol";
import { bin } from "../support/target.ts";
import { FACTS } from "../support/served-folder.ts";
import type { Call, Row } from "./row.ts";

const OFFICIAL = fileURLToPath(new URL("../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url));

/** A moment for the times of all files, where times are shown: there they must agree. */
const THEN = new Date("2024-05-06T07:08:09Z");

/** The official server takes its time over thousands of entries. */
const DEADLINE_MS = 25_000;

export interface Answer {
  readonly isError: boolean;
  /** The content blocks as JSON, and the texts in them. */
  readonly blocks: string;
  readonly text: string;
  /** structuredContent.content as JSON. */
  readonly structured: string | undefined;
}

export interface Played {
  readonly answers: readonly Answer[];
  /** Names, modes, digests, link targets. */
  readonly tree: Readonly<Record<string, string>>;
  readonly folder: string;
}

export class Side implements AsyncDisposable {
  readonly #base: TempFolder = tempFolder();
  readonly #process: RawProcess;
  readonly #shared = new Map<Tree, string>();
  #rows = 0;
  #calls = 0;

  constructor(command: (folder: string) => Parameters<typeof startRaw>[0]) {
    this.#process = startRaw(command(this.#base.path));
  }

  /** Its answer to `initialize`. */
  async start(): Promise<Json> {
    const { result } = await this.#process.handshake("2025-11-25");
    return result as Json; // an object, in both
  }

  async tools(): Promise<Tool[]> {
    const { result } = await this.#process.request({ jsonrpc: "2.0", id: ++this.#calls, method: "tools/list" });
    return (result as { tools: Tool[] }).tools;
  }

  /** Makes the folder of a row and plays its calls, one after another. */
  async play({ tree, calls }: Row): Promise<Played> {
    const folder = this.#folderFor(tree, calls);
    const answers: Answer[] = [];
    for (const call of calls) answers.push(await this.call(call, folder));
    return { answers, tree: listTree(folder), folder };
  }

  /** Rows that only read may share what they read. */
  #folderFor(tree: Tree, calls: readonly Call[]): string {
    const shared = calls.length > 0 && calls.every(([tool]) => !/^(write|edit|move|create)_/.test(tool));
    const known = shared ? this.#shared.get(tree) : undefined;
    if (known !== undefined) return known;
    const folder = this.#base.at(`row${++this.#rows}`);
    mkdirSync(folder);
    writeTree(folder, tree);
    if (calls.some(([tool]) => tool === "get_file_info")) settle(folder);
    if (shared) this.#shared.set(tree, folder);
    return folder;
  }

  /** One call about the folder of a row. */
  async call([name, args]: Call, folder: string): Promise<Answer> {
    const filled = fill(args, (text) => text.replaceAll("{}", folder).replaceAll("{name}", basename(folder)));
    const answer = await this.#process.request(
      { jsonrpc: "2.0", id: ++this.#calls, method: "tools/call", params: { name, arguments: filled } },
      DEADLINE_MS,
    );
    const { content, structuredContent, isError } = (answer.result ?? { content: [answer.error], isError: true }) as CallResult;
    const mask = (text: string): string =>
      text
        .replaceAll(folder, "{}")
        .replaceAll(this.#base.path, "{base}")
        // The moments of creation and of the last look are each file's own.
        .replace(/created: [^\n\\]+/, "created: (masked)")
        .replace(/accessed: [^\n\\]+/, "accessed: (masked)");
    const masked = (value: unknown): string => mask(JSON.stringify(value) ?? "");
    // Deviation `line-of-facts`: each read would differ.
    const compared = content.filter(({ text }) => text === undefined || !FACTS.test(`\n${text}`));
    return {
      isError: isError === true,
      blocks: masked(compared),
      text: mask(compared.map(({ text, message }) => text ?? message ?? "").join("\n")),
      structured: structuredContent === undefined ? undefined : masked(structuredContent.content),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    await this.#base[Symbol.asyncDispose]();
  }
}

/** Changes every text in a value. */
function fill(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => fill(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, change)]));
}

interface CallResult {
  content: { text?: string; message?: string }[];
  structuredContent?: { content?: unknown };
  isError?: boolean;
}

function settle(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) settle(path);
    else if (entry.isFile()) utimesSync(path, THEN, THEN);
  }
  utimesSync(folder, THEN, THEN);
}

export const official = (): Side => new Side((folder) => ({ command: process.execPath, args: [OFFICIAL, folder] }));
export const ours = (): Side => new Side((folder) => bin([folder]));

/** The text of each regular file directly below a folder that is named. */
export const textsOf = (folder: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "latin1")]));
