/** Programs of the servers, bundled with a write to stdout in each of their modules. */
import { rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { expect, test } from "vitest";
import { nodeCommand, startRaw } from "@oarlock/testing";
import { root } from "@oarlock-tooling/test-support/built-file";
import { bundleProgram } from "../program.ts";

const GUARD = /[\\/]stdout(?:-guard)?\.ts$/;

const prints = {
  name: "prints",
  transform: (code: string, id: string) =>
    GUARD.test(id) || !isAbsolute(id) || !/\.[cm]?[jt]s$/.test(id) ? undefined : `${code}\nprocess.stdout.write("stray\\n");`,
};

test.each(["filesystem", "git", "memory", "sqlite"])("keeps stdout of %s while its modules load", async (name) => {
  const folder = join(root, "servers", name);
  const dir = join(folder, ".cache"); // beside package.json, as dist/
  try {
    await bundleProgram(join(folder, "src/bin.ts"), dir, [prints]);
    await using server = startRaw(nodeCommand(join(dir, "bin.js")));
    expect(await server.handshake()).toHaveProperty("result");
    expect(server.unread).toEqual([]);
    expect(server.stderr).toContain("stray");
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
