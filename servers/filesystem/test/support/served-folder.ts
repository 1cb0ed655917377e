// A folder that the server serves to a client of one revision: one test for each revision, in this process, with calls to the tools.
import { mkdirSync } from "node:fs";
import type { Client } from "@oarlock/client";
import { findRevision, type CallToolResult, type Facts, type Json } from "@oarlock/server-kit/protocol";
import {
  connectTo,
  everyRevision,
  tempFolder,
  listTree,
  writeTree,
  type TestConnection,
  type Transport,
  type Tree,
} from "@oarlock/testing";
import { expect } from "vitest";
import { targetOf } from "./target.ts";

/** The first revision with structured content, and with links in content. */
const STRUCTURED_SINCE = "2025-06-18";

/** What a test gets. */
export interface ServedFolder extends AsyncDisposable {
  readonly revision: string;
  readonly facts: Facts;
  readonly client: Client;
  readonly wired: TestConnection;
  /** Results have structured content, and content may link. */
  readonly structured: boolean;
  /** The folder of the test, in the directory that is served. */
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

/** Registers one test for each revision, on a folder that starts out as `tree`: "the first lines — 2025-06-18". */
export function everyRevisionOn(title: string, tree: Tree, body: (served: ServedFolder) => Promise<void>): void {
  everyRevision(title, (revision) => onServedFolder({ revision }, tree, body));
}

/** Runs a test on a served folder, and checks that the server has kept the protocol. */
export async function onServedFolder(
  connection: { revision: string; transport?: Transport },
  tree: Tree,
  body: (served: ServedFolder) => Promise<void>,
): Promise<void> {
  await using served = await serveFolder(connection, tree);
  await body(served);
  expect(served.wired.faults, "the protocol was kept").toEqual([]);
}

async function serveFolder(connection: { revision: string; transport?: Transport }, tree: Tree): Promise<ServedFolder> {
  const { revision } = connection;
  const directory = tempFolder();
  const folder = directory.at("test");
  mkdirSync(folder);
  writeTree(folder, tree);
  const wired = await connectTo(await targetOf({ directories: [directory.path], lookMs: 20 }), connection);
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
      const content = result.content.filter((block) => block.type !== "text" || !FACTS.test(`\n${block.text}`));
      expect({ ...result, content }).toEqual({
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
    async [Symbol.asyncDispose]() {
      await wired[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** The line of facts at the end of a text, such as [utf-8, LF, 2 lines, etag c-…], or [12 entries looked at] where nothing was found. */
export const FACTS = /\n\[(?:[^\n]*etag \S+|\d+ entr[^\n]* looked at[^\n]*)\]$/;

/** The text blocks of a result, one after another, without the line of facts. */
export const text = (result: CallToolResult): string => textWithFacts(result).replace(FACTS, "");

export const textWithFacts = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`)).join("\n");
