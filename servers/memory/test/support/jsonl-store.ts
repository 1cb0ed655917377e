// A store with a JSONL file of given content, served in this process.
import { readdirSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { serveInProcess, type InProcessServer } from "./in-process.ts";

export interface JsonlStore extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly file: string;
  readonly server: InProcessServer;
}

export async function serveJsonl(content: string | Uint8Array): Promise<JsonlStore> {
  const folder = tempFolder({ "m.jsonl": content });
  const file = folder.at("m.jsonl");
  const server = await serveInProcess(file);
  return {
    folder,
    file,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** All files beside it, as text: damaged lines must be in one of them. */
export const textBeside = (folder: TempFolder): string =>
  readdirSync(folder.path)
    .filter((name) => name !== "m.jsonl" && !/\.db(-wal|-shm)?$/.test(name))
    .map((name) => folder.read(name))
    .join("\n");
