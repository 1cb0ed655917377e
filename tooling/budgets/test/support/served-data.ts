/** Served data: a built server with data of a given size, shared by all calls of that size. */
import { startRaw, tempFolder, type RawProcess, type TempFolder } from "@oarlock/testing";
import { cpuOf } from "./cpu.ts";
import { builtFile } from "@oarlock-tooling/test-support/built-file";

type Json = Record<string, unknown>;

export interface Serves {
  server: string;
  /** Creates the data; returns the command line. */
  fill(folder: TempFolder, size: number): string[];
  /** Switches of Node. */
  flags?: readonly string[];
}

export class Serving implements AsyncDisposable {
  readonly folder: TempFolder = tempFolder();
  readonly raw: RawProcess;
  /** Holds the trash of the filesystem server, on the same file system as the files that it deletes. */
  readonly #state: TempFolder = tempFolder();
  readonly #seen = new Map<number, number>();
  #ids = 0;

  constructor({ server, fill, flags = [] }: Serves, size: number) {
    const args = [...flags, builtFile(`servers/${server}/dist/bin.js`), ...fill(this.folder, size)];
    this.raw = startRaw({ command: process.execPath, args, env: { XDG_STATE_HOME: this.#state.path } });
  }

  static async open(serves: Serves, size: number): Promise<Serving> {
    const serving = new Serving(serves, size);
    await serving.raw.handshake();
    return serving;
  }

  get cpu(): number {
    return cpuOf(this.raw.pid, this.#seen);
  }

  /** Makes a call that must succeed; returns its structured content and its text. */
  readonly call = async (name: string, args: Json): Promise<Json & { text: string }> => {
    const message = { jsonrpc: "2.0", id: ++this.#ids, method: "tools/call", params: { name, arguments: args } };
    const { result, error } = (await this.raw.request(message, 60_000)) as {
      result?: { isError?: boolean; content: { text: string }[]; structuredContent?: Json };
      error?: Json;
    };
    const text = result?.content.map((block) => block.text).join("\n") ?? JSON.stringify(error);
    if (result === undefined || result.isError === true) throw new Error(`${name} failed: ${text.slice(0, 500)}`);
    return { ...result.structuredContent, text };
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.raw[Symbol.asyncDispose]();
    for (const folder of [this.folder, this.#state]) await folder[Symbol.asyncDispose]();
  }
}
