/** Tests that the printed command of an entry starts the same server from any folder. */
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { HOME, run, Sample, SERVER } from "./support/sample-process.ts";

test("prints a command that starts the same server from any folder", async () => {
  const cwd = import.meta.dirname;
  const { code, stdout } = await run(["notes", "--deny=-x", "--store", "db/file", "~/other:ro", "--print-config=json"], { cwd });
  expect(code).toBe(0);
  const { mcpServers } = JSON.parse(stdout) as { mcpServers: { sample: { command: string; args: string[] } } };
  const { command, args } = mcpServers.sample;
  expect([command, args[0]]).toEqual([process.execPath, SERVER]);
  const sample = await new Sample([], { cwd: resolve("/") }, command, args).handshake();
  expect(await sample.options()).toMatchObject({
    deny: ["-x"],
    store: join(cwd, "db/file"),
    positionals: [join(cwd, "notes"), `${HOME}/other:ro`],
  });
  expect((await sample.end()).code).toBe(0);
});
