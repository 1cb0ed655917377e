// Serving on a Unix socket, for the user of this process only.
import { request } from "node:http";
import { lstatSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server as NetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineServer, tool } from "../../../../src/index.ts";
import { serveHttp } from "../../../../src/node.ts";
import type { Json } from "../../../../src/protocol.ts";
import { asks, posting } from "../../../support/stateless-message.ts";

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "oarlock-socket-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const server = () => defineServer({ name: "s", version: "1", tools: [tool({ name: "echo", run: () => "here" })] });

function call(socketPath: string): Promise<Json> {
  const { headers = {}, body } = posting(asks("tools/call", { name: "echo", arguments: {} }));
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path: "/mcp", method: "POST", headers: headers as Record<string, string> }, (response) => {
      let text = "";
      response.on("data", (part) => (text += String(part))).on("end", () => resolve(JSON.parse(text) as Json));
    });
    sent.on("error", reject).end(body);
  });
}

const occupy = (listener: NetServer, path: string): Promise<void> => new Promise((resolve) => listener.listen(path, resolve));

// Windows has named pipes in place of such files.
describe.skipIf(process.platform === "win32")("a socket", () => {
  test("serves its user, and is gone at the end", async () => {
    const socket = join(folder, "own");
    const http = await serveHttp(server(), { socket });
    expect([http.url, http.port]).toEqual(["http://localhost/mcp", 0]);
    expect(lstatSync(socket).mode & 0o777).toBe(0o600);
    expect(await call(socket)).toMatchObject({ result: { content: [{ text: "here" }] } });
    await http.stop();
    expect(() => lstatSync(socket)).toThrow("ENOENT");
  });

  test("needs no token, whatever the host would be", async () => {
    const socket = join(folder, "host");
    const http = await serveHttp(server(), { socket, host: "0.0.0.0" });
    expect(await call(socket)).toHaveProperty("result");
    await http.stop();
  });

  test("of a process that is gone is replaced", async () => {
    const socket = join(folder, "stale");
    const gone = createServer();
    await occupy(gone, join(folder, "moved"));
    // As after a kill: the file stays, without a listener.
    renameSync(join(folder, "moved"), socket);
    await new Promise((resolve) => gone.close(resolve));
    expect(lstatSync(socket).isSocket()).toBe(true);
    const http = await serveHttp(server(), { socket });
    expect(await call(socket)).toHaveProperty("result");
    await http.stop();
  });

  test("in use is left alone, and so is another file", async () => {
    const socket = join(folder, "used");
    const other = createServer();
    await occupy(other, socket);
    await expect(serveHttp(server(), { socket })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await new Promise((resolve) => other.close(resolve));
    writeFileSync(join(folder, "file"), "mine");
    await expect(serveHttp(server(), { socket: join(folder, "file") })).rejects.toMatchObject({ code: "EADDRINUSE" });
    expect(lstatSync(join(folder, "file")).size).toBe(4);
  });
});
