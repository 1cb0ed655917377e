// A memory with content, served in this process, and a client for it.
import { resolve } from "node:path";
import type { Client } from "@oarlock/client";
import type { CallToolResult, Json } from "@oarlock/server-kit/protocol";
import { connectTo, tempFolder, type TempFolder, type TestConnection, type ConnectToOptions } from "@oarlock/testing";
import { expect } from "vitest";
import type { Entity, Relation } from "../../src/graph/model.ts";
import { targetOf, type Setup } from "./targets.ts";

export interface MemoryFixture extends AsyncDisposable {
  readonly client: Client;
  readonly wired: TestConnection;
  readonly folder: TempFolder;
  /** The structured result of a call that must succeed. */
  call(name: string, args?: Json): Promise<Json>;
  /** The error message of a call that must fail. */
  failure(name: string, args: Json): Promise<string>;
  /** Names in the order of the reply. */
  search(query: string, more?: Json): Promise<string[]>;
}

interface Given extends Omit<Setup, "file"> {
  readonly entities?: readonly Entity[];
  readonly relations?: readonly Relation[];
  /** A name in a temporary folder, or a path. */
  readonly file?: string;
  readonly options?: ConnectToOptions;
  /** Writes files before the server starts. */
  readonly prepare?: (folder: TempFolder) => unknown;
}

export const text = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`)).join("\n");

export async function serveMemory({
  entities = [],
  relations = [],
  file = "m.db",
  options = {},
  prepare,
  ...setup
}: Given = {}): Promise<MemoryFixture> {
  const folder = tempFolder();
  prepare?.(folder);
  const wired = await connectTo(targetOf({ file: resolve(folder.path, file), ...setup }), options);
  const { client } = wired;
  const call = async (name: string, args: Json = {}): Promise<Json> => {
    const result = await client.call(name, args);
    expect(result.isError, text(result)).toBeUndefined();
    return (result.structuredContent ?? {}) as Json; // tools of this server have one
  };
  if (entities.length > 0) await call("create_entities", { entities: [...entities] });
  if (relations.length > 0) await call("create_relations", { relations: [...relations] });
  return {
    client,
    wired,
    folder,
    call,
    async failure(name, args) {
      const result = await client.call(name, args);
      expect(result.isError, text(result)).toBe(true);
      return text(result);
    },
    async search(query, more = {}) {
      const { entities } = (await call("search_nodes", { query, ...more })) as { entities: Entity[] };
      return entities.map(({ name }) => name);
    },
    async [Symbol.asyncDispose]() {
      await wired[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
