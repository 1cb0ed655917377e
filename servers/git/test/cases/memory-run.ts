// The git server under attack in this process: a cheap part of the rules that `StressRun` checks on a server in a process of its own.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { McpError, type Json } from "@oarlock/server-kit/protocol";
import { connectTo, hashTree, tempFolder, toReply, type TestConnection, type ToolReply, type Tree } from "@oarlock/testing";
import { expect } from "vitest";
import { makeRepository, type TestRepository } from "../support/repository.ts";
import { targetOf } from "../support/target.ts";
import { fillOut, temporaryNames, type AttackGround } from "./attack-ground.ts";
import type { AttackedServer } from "./entry-points.ts";

export class MemoryRun implements AttackGround, AttackedServer, AsyncDisposable {
  readonly secret = "canary-of-the-cases-in-memory";
  readonly #base = tempFolder({ ROOT: {}, OUT: {} });
  readonly out = this.#base.at("OUT");
  readonly executionMark = this.#base.at("MARK");
  #connection: TestConnection | undefined;
  #outHash = "";

  constructor() {
    fillOut(this);
  }

  at(...names: string[]): string {
    return join(this.#base.at("ROOT"), ...names);
  }

  repository(name: string, tree: Tree = { "f.txt": "one\n" }): TestRepository {
    return makeRepository(this.at(name), tree);
  }

  /** Serves ROOT, after everything hostile is in its place. `git`: the program, if not the installed one. */
  async start(git?: string): Promise<void> {
    const setup = { repositoriesRoots: [this.at()], allowDiscard: true, ...(git !== undefined && { git }) };
    this.#connection = await connectTo(await targetOf(setup), { onServerError: false });
    this.#outHash = hashTree(this.out);
  }

  get #started(): TestConnection {
    if (this.#connection === undefined) throw new Error("The server is not running: call start first.");
    return this.#connection;
  }

  async request(method: string, params: Json): Promise<Json> {
    try {
      return { result: await this.#started.client.request(method, params) };
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      return { error: { code: error.code, message: error.message } };
    }
  }

  async reply(tool: string, args: Json): Promise<ToolReply> {
    return toReply(await this.request("tools/call", { name: tool, arguments: args }));
  }

  /** The rules that need no process of the server: the secret is kept, OUT is unchanged, nothing ran, and no temporary file is left. */
  checkRules(): void {
    const texts = this.#started.log.filter(({ direction }) => direction === "received").map(({ text }) => text);
    expect(
      texts.filter((text) => text.includes(this.secret)).map((text) => text.slice(0, 300)),
      "(a) the secret is not disclosed",
    ).toEqual([]);
    expect(hashTree(this.out), "(b) OUT is unchanged").toBe(this.#outHash);
    expect(existsSync(this.executionMark), "(c) nothing was executed").toBe(false);
    expect(temporaryNames(this.#base.path), "(e) no temporary file is left").toEqual([]);
    expect(this.#started.faults).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection?.[Symbol.asyncDispose]();
    await this.#base[Symbol.asyncDispose]();
  }
}
