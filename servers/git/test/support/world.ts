// One repository, a server over it and a client of that, for one test.
import type { Client } from "@oarlock/client";
import type { CallToolResult, Json } from "@oarlock/server-kit/protocol";
import { connectTo, tempFolder, type TempFolder, type Tree, type TestConnection, type ConnectToOptions } from "@oarlock/testing";
import { expect } from "vitest";
import { makeRepository, type TestRepository } from "./repository.ts";
import { targetOf, type Setup } from "./target.ts";

export interface World extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly repository: TestRepository;
  readonly client: Client;
  readonly wired: TestConnection;
  /** Calls a tool that must succeed. */
  call(name: string, args?: Json): Promise<Called>;
  /** Calls a tool that must fail; returns the text for the model. */
  failure(name: string, args?: Json): Promise<string>;
}

export interface Called {
  readonly text: string;
  readonly data: Json;
}

export type WorldOptions = Omit<Setup, "repositories"> & ConnectToOptions & { readonly tree?: Tree | undefined };

/** A repository `project` with one commit of `tree`; without a tree there is none yet. */
export async function world({ tree, ...options }: WorldOptions = {}): Promise<World> {
  const folder = tempFolder();
  return worldOf(folder, makeRepository(folder.at("project"), tree), options);
}

export async function worldOf(folder: TempFolder, repository: TestRepository, options: Omit<WorldOptions, "tree"> = {}): Promise<World> {
  const {
    roots,
    runHooks,
    sign,
    filters,
    allowDiscard,
    trust,
    allowSetting,
    lockdown,
    git,
    lean,
    protocols,
    maxResultBytes,
    env,
    cwd,
    timeout,
    ...more
  } = options;
  const { repositoriesRoots, readOnly, lookMs, ...wire } = more;
  const setup = {
    roots,
    runHooks,
    sign,
    filters,
    allowDiscard,
    trust,
    allowSetting,
    lockdown,
    git,
    lean,
    protocols,
    maxResultBytes,
    env,
    cwd,
    readOnly,
    lookMs,
    timeout,
  };
  const given = Object.fromEntries(Object.entries(setup).filter(([, value]) => value !== undefined));
  const places = repositoriesRoots === undefined ? { repositories: [repository.path] } : { repositoriesRoots };
  const wired = await connectTo(await targetOf({ ...given, ...places }), wire);
  const { client } = wired;
  return {
    folder,
    repository,
    client,
    wired,
    async call(name, args = {}) {
      const result = await client.call(name, args);
      expect(result.isError, textOf(result)).toBeUndefined();
      return { text: textOf(result), data: (result.structuredContent ?? {}) as Json };
    },
    async failure(name, args = {}) {
      const result = await client
        .call(name, args)
        .catch((error: Error) => ({ content: [{ type: "text" as const, text: error.message }], isError: true }));
      expect(result.isError, textOf(result)).toBe(true);
      return textOf(result);
    },
    async [Symbol.asyncDispose]() {
      await wired[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The text blocks of a result, one after another. */
export const textOf = ({ content }: Pick<CallToolResult, "content">): string =>
  content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`)).join("\n");
