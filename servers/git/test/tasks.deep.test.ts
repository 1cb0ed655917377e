// A clone as a task, from a remote that waits until the test lets it respond.
import { readdirSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tempFolder } from "@oarlock/testing";
import { expect } from "vitest";
import { testTasks, type TaskWorld } from "../../../packages/client/test/support/server-tasks.ts";
import { serveGit } from "./support/git-http.ts";
import { makeRepository } from "./support/repository.ts";
import { argumentsOf, bin } from "./support/target.ts";

/** Passes requests on to another server, once it is released. */
async function startGate(to: string): Promise<{ url: string; release(): void; close(): Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = createServer((incoming, outgoing) => {
    void promise.then(() => {
      const passed = request(new URL(incoming.url ?? "/", to), { method: incoming.method, headers: incoming.headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(outgoing);
      });
      incoming.pipe(passed);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release: resolve,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function open(): Promise<TaskWorld> {
  const folder = tempFolder({ served: {}, all: {} });
  const origin = makeRepository(folder.at("served/origin"));
  origin.commit("first", { "a.txt": "a\n" });
  const remote = await serveGit(folder.at("served"));
  const gate = await startGate(remote.url);
  return {
    command: bin([...argumentsOf({ repositoriesRoots: [folder.at("all")] }), "--toolsets=remote"]),
    tool: "git_clone",
    args: { url: `${gate.url}/origin/.git`, path: "copy" },
    folder: folder.path,
    release: gate.release,
    // git removes what it has begun after its server has ended.
    async checkData() {
      await expect.poll(() => readdirSync(folder.at("all"))).toEqual([]);
    },
    async [Symbol.asyncDispose]() {
      await gate.close();
      await remote.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

testTasks("a clone", open);
