// The matrix of these tests: each stateful revision over each transport. One server serves all tests of a cell and file; each test
// has a folder of its own in it.
import { mkdirSync } from "node:fs";
import type { Client } from "@oarlock/client";
import { findRevision, type CallToolResult, type Facts, type Json } from "@oarlock/server-kit/protocol";
import {
  connectTo,
  tempFolder,
  TESTED_REVISIONS,
  TRANSPORTS,
  listTree,
  writeTree,
  type TempFolder,
  type Transport,
  type Tree,
  type TestConnection,
} from "@oarlock/testing";
import { afterAll, expect, test } from "vitest";
import { targetOf } from "./target.ts";

/** The first revision with structured content, and with links in content. */
const STRUCTURED_SINCE = "2025-06-18";

/** What a body gets. */
export interface Cell {
  readonly revision: string;
  readonly facts: Facts;
  readonly client: Client;
  readonly wired: TestConnection;
  /** Results have structured content, and content may link. */
  readonly structured: boolean;
  /** The folder of this test. */
  readonly folder: string;
  /** An absolute path in it. */
  at(name: string): string;
  /** What it holds. */
  tree(): Record<string, string>;
  /** Calls a tool that must succeed. */
  call(name: string, args: Json): Promise<CallToolResult>;
  /** Calls a tool that must say exactly this; the structured result is expected where the revision has one. */
  says(name: string, args: Json, text: string, structured: Json): Promise<void>;
  /** Calls a tool that must fail; gives the text that the model gets. */
  failure(name: string, args: Json): Promise<string>;
}

interface Shared {
  readonly folder: TempFolder;
  readonly wired: TestConnection;
  tests: number;
}

/** The server for all tests of a file in one cell. */
const shared = new Map<string, Promise<Shared>>();
let registered = false;

async function share(revision: string, transport: Transport): Promise<Shared> {
  const folder = tempFolder();
  return { folder, wired: await connectTo(await targetOf({ directories: [folder.path] }), { revision, transport }), tests: 0 };
}

/** One test for each cell, on a folder that starts out as `tree`: "the first lines — 2025-06-18 over stdio". */
export function everyCell(title: string, tree: Tree, body: (cell: Cell) => Promise<void>, { concurrent = false } = {}): void {
  if (!registered) afterAll(endAll);
  registered = true;
  for (const revision of TESTED_REVISIONS) {
    for (const transport of TRANSPORTS) {
      (concurrent ? test.concurrent : test)(`${title} — ${revision} over ${transport}`, async () => {
        const key = `${revision} ${transport}`;
        const created = shared.get(key) ?? share(revision, transport);
        shared.set(key, created);
        const { folder, wired } = await created;
        const own = folder.at(`test${++(await created).tests}`);
        mkdirSync(own);
        writeTree(own, tree);
        await body(cellOf(revision, wired, own));
        expect(wired.faults, "the protocol was kept").toEqual([]);
      });
    }
  }
}

async function endAll(): Promise<void> {
  for (const created of shared.values()) {
    const { folder, wired } = await created;
    await wired[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  }
  shared.clear();
}

export function cellOf(revision: string, wired: TestConnection, folder: string): Cell {
  const { client } = wired;
  return {
    revision,
    facts: findRevision(revision)!.facts,
    client,
    wired,
    structured: revision >= STRUCTURED_SINCE,
    folder,
    at: (name) => `${folder}/${name}`,
    tree: () => listTree(folder),
    async call(name, args) {
      const result = await client.call(name, args);
      expect(result.isError, text(result)).toBeUndefined();
      return result;
    },
    async says(name, args, replyText, structured) {
      const result = await client.call(name, args);
      expect(result).toEqual({
        content: [{ type: "text", text: replyText }],
        ...(revision >= STRUCTURED_SINCE && { structuredContent: { content: replyText, ...structured } }),
      });
    },
    async failure(name, args) {
      const result = await client.call(name, args);
      expect(result.isError, text(result)).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      return text(result);
    },
  };
}

/** The text blocks of a result, one after another. */
export const text = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`)).join("\n");
