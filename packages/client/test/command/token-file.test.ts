// --token-file: the token that a server receives, and files that have none.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readTokenFile } from "../../src/command/token-file.ts";
import { startHttp } from "../support/authorization-servers.ts";
import { runCommand, type Ended } from "../support/run-command.ts";

let folder: string;

beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "oarlock-token-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (args: readonly string[]): Promise<Ended> => runCommand(join(folder, "credentials.json"), args);

function fileOf(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test("sends the token of the file to its server only", async () => {
  const received: (string | undefined)[] = [];
  const elsewhere: unknown[] = [];
  await using other = await startHttp((request, response) => {
    elsewhere.push(request.headers.authorization);
    response.writeHead(500).end();
  });
  await using http = await startHttp((request, response) => {
    received.push(request.headers.authorization);
    response.writeHead(307, { location: `${other.origin}/mcp` }).end();
  });
  const file = fileOf("token", "  s3cret-token-value\n");
  const { code, stderr } = await run([`${http.origin}/mcp`, "list", "--trace", "--token-file", file]);
  expect([code, [...new Set(received)], elsewhere]).toEqual([1, ["Bearer s3cret-token-value"], []]);
  expect(stderr).not.toContain("s3cret");
});

test("names a token file that does not exist", async () => {
  const { code, stderr } = await run(["http://127.0.0.1:1/mcp", "list", "--token-file", join(folder, "nowhere")]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: Token file ".*nowhere" cannot be read: it does not exist\. Check --token-file\.\n$/);
});

test("names a file without a token, and hides its content", async () => {
  const messageOf = async (path: string): Promise<string> =>
    await readTokenFile(path).then(
      () => "",
      (error: Error) => error.message,
    );
  expect(await messageOf(fileOf("empty", " \n"))).toMatch(/^Token file ".*empty" is empty\. Write the token there\.$/);
  expect(await messageOf(folder)).toMatch(/is a folder/);
  expect(await messageOf(fileOf("long", "x".repeat(64 * 1024 + 1)))).toMatch(/is longer than 64 KiB/);
  const spaced = await messageOf(fileOf("spaced", "Bearer s3cret"));
  expect(spaced).toMatch(/visible ASCII characters without spaces/);
  expect(spaced).not.toContain("s3cret");
  expect(await readTokenFile(fileOf("longest", "x".repeat(64 * 1024)))).toHaveLength(64 * 1024);
});
