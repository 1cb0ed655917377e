/** Works on one file as its arguments say, and prints a line after each step. */
import { writeSync } from "node:fs";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { DiskError } from "../../../src/disk/errors.ts";
import { openDisk } from "../../../src/disk/disk.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";

const [root = "", kind = "", who = "", rounds = "0"] = process.argv.slice(2);
const sandbox = (await openDisk({ directories: [{ path: root, readOnly: false }] })).sandbox();

/** Edits its own line only. */
async function ownLine(round: number): Promise<void> {
  await editText(sandbox, "lines", [{ oldText: `${who}: ${round}\n`, newText: `${who}: ${round + 1}\n` }]);
}

/** Adds one to a number by reading, and writing only if no other process has written. */
async function count(): Promise<void> {
  for (;;) {
    const { content, etag } = await readText(sandbox, "count");
    try {
      await writeText(sandbox, "count", `${Number(content) + 1}`, { expectedEtag: etag });
      return;
    } catch (error) {
      if (!(error instanceof DiskError) || error.code !== "conflict") throw error;
    }
  }
}

/** Replaces a large text by another that can be checked. */
async function replaceAll(round: number): Promise<void> {
  const line = `${who} ${round}\n`;
  const options = round % 3 === 2 ? { mode: "append" as const } : {};
  if (round % 3 === 2) await writeText(sandbox, "text", "", options);
  else await writeText(sandbox, "text", `${line.repeat(20_000)}end ${round}\n`);
}

for (let round = 0; round < Number(rounds); round += 1) {
  if (kind === "line") await ownLine(round);
  else if (kind === "count") await count();
  else await replaceAll(round);
  writeSync(1, `${round}\n`);
}
