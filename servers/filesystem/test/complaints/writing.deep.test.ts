// Complaints about writing that a server in a process of its own answers. The manual lists them.
import { startRaw, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { bin } from "../support/target.ts";

test("servers#4138 anthropics/claude-code#15060 reports a write only when it is on the disk, also when the server is killed", async () => {
  await using folder = tempFolder();
  const server = startRaw(bin([folder.path]));
  await server.handshake();
  const content = "x".repeat(300_000);
  const params = { name: "write_file", arguments: { path: folder.at("f"), content } };
  const { result } = await server.request({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  await server[Symbol.asyncDispose]();
  expect(result).toMatchObject({ structuredContent: { bytesWritten: 300_000, created: true } });
  expect(folder.read("f")).toBe(content);
});
