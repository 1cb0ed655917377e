// The memory servers that the recall benchmark measures.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Start } from "../client.ts";

export interface MeasuredServer {
  readonly name: string;
  /** `folder`: where it keeps its memory. */
  readonly start: (folder: string) => Start;
  /** Whether it makes vectors in the background before it finds everything. */
  readonly embeds?: boolean;
}

export interface ServerOptions {
  /** The folder of another checkout. */
  readonly before?: string | undefined;
  readonly embeddings?: string | undefined;
  readonly "embeddings-model"?: string | undefined;
}

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

export const REFERENCE_SERVER: MeasuredServer = {
  name: "official server",
  start(folder) {
    const main = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/dist/index.js");
    return { command: [process.execPath, main], env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") } };
  },
};

/** Our servers, in the order of their columns. */
export function ourServers({ before, embeddings, "embeddings-model": model }: ServerOptions): MeasuredServer[] {
  const servers: MeasuredServer[] = [{ name: "words", start: ours(ROOT) }];
  if (before !== undefined) servers.unshift({ name: "before", start: ours(before) });
  if (embeddings === undefined) return servers;
  const args = ["--embeddings", embeddings, ...(model === undefined ? [] : ["--embeddings-model", model])];
  return [...servers, { name: "words and meaning", start: ours(ROOT, ...args), embeds: true }];
}

const ours = (root: string, ...args: string[]): MeasuredServer["start"] => {
  const command = [process.execPath, "--conditions=oarlock-source", join(root, "servers/memory/src/bin.ts")];
  return (folder) => ({ command: [...command, "--db", join(folder, "m.db"), ...args] });
};
