// Windows replaces no file that is open, not even by the process that has it open.
import { linkSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { HASHED_BYTES } from "../../../src/disk/read/etag.ts";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import { world } from "../support/world.ts";

/** What of the folder this process has open; empty on systems that do not tell. */
function openNames(root: string): string[] {
  const folder = "/proc/self/fd";
  return readdirSync(folder).flatMap((fd) => {
    try {
      const path = readlinkSync(`${folder}/${fd}`);
      return path.startsWith(`${root}/`) ? [path.slice(root.length + 1)] : [];
    } catch {
      return [];
    }
  });
}

type Act = (sandbox: Sandbox, signal: AbortSignal) => Promise<unknown>;
const line = `${"x".repeat(99)}\n`;

test.runIf(process.platform === "linux").each<[what: string, act: Act]>([
  ["an edit", (sandbox, signal) => editText(sandbox, "small", [{ oldText: "x\n", newText: "y\n" }], { signal })],
  [
    "an edit of some lines of a large file",
    (sandbox, signal) => editText(sandbox, "large", [{ oldText: "", newText: "y" }], { lines: "2", signal }),
  ],
  ["an overwrite", (sandbox, signal) => writeText(sandbox, "small", "new", { signal })],
  ["an append to a file with another name", (sandbox, signal) => writeText(sandbox, "large", "new", { mode: "append", signal })],
  ["a copy over another name of the file", (sandbox, signal) => copy(sandbox, "large", "other", { overwrite: true, signal })],
])("closes the old file before %s replaces it", async (_what, act) => {
  const { root, open } = world();
  writeFileSync(join(root, "small"), line);
  writeFileSync(join(root, "large"), line.repeat(HASHED_BYTES / 50));
  linkSync(join(root, "large"), join(root, "other"));
  let atLast: string[] = [];
  // The last look at the signal is right before the new file takes the name.
  const signal = Object.assign(new AbortController().signal, { throwIfAborted: () => void (atLast = openNames(root)) });
  await act(await open(), signal);
  expect(atLast).toEqual([expect.stringMatching(/^\.oarlock-\w+\.tmp$/)]);
});
