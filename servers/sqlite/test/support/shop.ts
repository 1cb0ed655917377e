// A shop's database and a client of the server that serves it.
import type { CallToolResult, Json } from "@oarlock/server-kit/protocol";
import { connectTo, tempFolder, type TempFolder, type TestConnection, type ConnectToOptions } from "@oarlock/testing";
import { expect } from "vitest";
import { makeDatabase, SHOP } from "./databases.ts";
import { targetOf, type Setup } from "./target.ts";

export interface Shop extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly file: string;
  readonly wired: TestConnection;
  readonly client: TestConnection["client"];
  /** Calls a tool that must succeed. */
  call(name: string, args?: Json): Promise<CallToolResult>;
  /** The structured result of a call that must succeed. */
  structured(name: string, args?: Json): Promise<Json>;
  /** Rows of a query. */
  rows(query: string, args?: Json): Promise<unknown>;
  /** Calls a tool that must fail; returns the text of the error. */
  failure(name: string, args?: Json): Promise<string>;
}

export type ShopOptions = Omit<Setup, "files"> & { readonly sql?: string; readonly connect?: ConnectToOptions };

export async function openShop({ sql = SHOP, connect, ...setup }: ShopOptions = {}): Promise<Shop> {
  const folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), sql);
  const wired = await connectTo(targetOf({ ...setup, files: [file] }), connect);
  const { client } = wired;
  const call = async (name: string, args: Json = {}): Promise<CallToolResult> => {
    const result = await client.call(name, args);
    expect(result.isError, text(result)).toBeUndefined();
    return result;
  };
  const structured = async (name: string, args: Json = {}): Promise<Json> => (await call(name, args)).structuredContent as Json;
  return {
    folder,
    file,
    wired,
    client,
    call,
    structured,
    rows: async (query, args = {}) => (await structured("read_query", { query, ...args }))["rows"],
    async failure(name, args = {}) {
      const result = await client.call(name, args);
      expect(result.isError, text(result)).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      return text(result);
    },
    async [Symbol.asyncDispose]() {
      await wired[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The text blocks of a result, one after another. */
export const text = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`)).join("\n");
