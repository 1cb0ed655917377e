// Mounts the first directory at the second as well, and moves and copies from the one to the other.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { DiskError } from "../../../src/disk/errors.ts";
import { openDisk } from "../../../src/disk/disk.ts";
import { move } from "../../../src/disk/transfer/move.ts";

const [a = "", b = ""] = process.argv.slice(2);
execFileSync("sh", ["-c", 'mount --bind "$0" "$1"', a, b]);
const sandbox = (await openDisk({ directories: [a, b].map((path) => ({ path, readOnly: false })) })).sandbox();

const acts = [
  () => move(sandbox, `${a}/f`, `${b}/f`, { overwrite: true }),
  () => move(sandbox, `${a}/e`, `${b}/e`, { overwrite: true }),
  () => move(sandbox, `${a}/d`, `${b}/d`, { overwrite: true }),
  () => copy(sandbox, `${a}/f`, `${b}/f`, { overwrite: true }),
  () => move(sandbox, `${a}/d`, `${b}/d/sub`),
  () => copy(sandbox, `${a}/d`, `${b}/d/sub`, { recursive: true }),
  () => move(sandbox, `${a}/f`, `${b}/g`),
];
const results: string[] = [];
for (const act of acts) {
  results.push(
    await act().then(
      () => "moved",
      (error: unknown) => (error instanceof DiskError ? error.code : String(error)),
    ),
  );
}
process.stdout.write(JSON.stringify({ results, left: readdirSync(a, { recursive: true }).map(String).toSorted() }));
