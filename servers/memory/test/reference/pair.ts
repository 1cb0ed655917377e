// The reference server and this one, with the same calls, each on a file of its own that starts with the same content.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { connectTo, tempFolder, type TempFolder } from "@oarlock/testing";
import type { Json } from "@oarlock/server-kit/protocol";
import type { Answer } from "../support/caller.ts";
import { ServerProcess } from "../support/server-process.ts";
import { run } from "../../src/commands/run.ts";
import { dbOf, isOnPostgres } from "../support/store-under-test.ts";
import { bin, targetOf } from "../support/targets.ts";
import type { Call, Row } from "./row.ts";

const OFFICIAL = fileURLToPath(new URL("../../node_modules/@modelcontextprotocol/server-memory/dist/index.js", import.meta.url));

/** The reference server on a file. */
export const official = (file: string): Promise<ServerProcess> =>
  new ServerProcess({ command: process.execPath, args: [OFFICIAL], env: { MEMORY_FILE_PATH: file } }).begin();

/** This server, configured only by the variable of the reference server. */
export const ours = (file: string): Promise<ServerProcess> => new ServerProcess(bin([], { MEMORY_FILE_PATH: file })).begin();

export type Start = typeof ours;

export interface Played {
  readonly answers: readonly Answer[];
  /** The file after the calls, without its last newline. */
  readonly file: string;
}

const NAME = "memory.jsonl";

function begin(folder: TempFolder, content: string): void {
  if (content === "") rmSync(folder.at(NAME), { force: true });
  else folder.write({ [NAME]: content });
}

const textIn = (folder: TempFolder): string =>
  existsSync(folder.at(NAME)) ? readFileSync(folder.at(NAME), "utf8").replace(/\n$/, "") : "";

/** The reference server for all rows, one after another: it reads its file again for each call. */
export class Theirs implements AsyncDisposable {
  readonly #folder = tempFolder();
  readonly #server = official(this.#folder.at(NAME));
  #last: Promise<unknown> = Promise.resolve();

  play(content: string, calls: readonly Call[]): Promise<Played> {
    const played = this.#last.then(async (): Promise<Played> => {
      begin(this.#folder, content);
      const server = await this.#server;
      const answers: Answer[] = [];
      for (const [name, args] of calls) answers.push(await server.call(name, args));
      return { answers, file: textIn(this.#folder) };
    });
    this.#last = played.catch(() => undefined);
    return played;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#server)[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
  }
}

/** This server, started for each row on a file or schema of its own; once for all rows that only read the same content. */
export class Ours {
  readonly #rows: readonly Row[];
  readonly #reads = new Map<string, Promise<Played>>();

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  async play(row: Row): Promise<Played> {
    if (!onlyReads(row)) return await play(row.file, row.calls);
    const alike = this.#rows.filter((other) => other.file === row.file && onlyReads(other));
    let played = this.#reads.get(row.file);
    if (played === undefined)
      this.#reads.set(
        row.file,
        (played = play(
          row.file,
          alike.flatMap(({ calls }) => calls),
        )),
      );
    const { answers, file } = await played;
    const first = alike.slice(0, alike.indexOf(row)).flatMap(({ calls }) => calls).length;
    return { answers: answers.slice(first, first + row.calls.length), file };
  }
}

const onlyReads = ({ calls }: Row): boolean => calls.every(([tool]) => tool === "search_nodes");

async function play(content: string, calls: readonly Call[]): Promise<Played> {
  await using folder = tempFolder();
  begin(folder, content);
  if (!isOnPostgres()) return { answers: await answersTo(calls, folder.at(NAME)), file: textIn(folder) };
  const db = folder.at("memory.db"); // stands for a schema
  if (content !== "") await run("import", [folder.at(NAME), `--db=${dbOf(db)}`]);
  const answers = await answersTo(calls, db);
  await run("export", ["--jsonl", "--output", folder.at(NAME), `--db=${dbOf(db)}`]);
  return { answers, file: textIn(folder) };
}

async function answersTo(calls: readonly Call[], file: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  await using wired = await connectTo(targetOf({ file }), { revision: "2025-11-25" });
  for (const [name, args] of calls) {
    const { isError, content: blocks, structuredContent } = await wired.client.call(name, args);
    const texts = blocks.map((block) => (block.type === "text" ? block.text : ""));
    const isTruncated = (structuredContent as Json | undefined)?.["truncated"] === true;
    // Notes are further texts, which the reference server does not have (replies/notes.test.ts).
    const text = isTruncated ? texts.join("\n") : (texts[0] ?? "");
    answers.push({ isError: isError === true, text, structured: structuredContent as Answer["structured"] });
  }
  return answers;
}

/** The members of replies that the reference server has too. */
export function known(structured: Answer["structured"]): unknown {
  if (structured === undefined) return undefined;
  const { entities, relations, results, success, message } = structured;
  return { entities, relations, results, success, message };
}
