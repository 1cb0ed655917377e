/** Packs everything that is published: `pnpm pack:all [DIR]`, into `tarballs/` unless told otherwise. */
import { globSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pack } from "./pack.ts";
import { manifestOf, root } from "./places.ts";

// Where it was typed counts, wherever the script that it is runs.
const into = resolve(process.env.INIT_CWD ?? root, process.argv[2] ?? "tarballs");
mkdirSync(into, { recursive: true });
const folders = globSync("{packages,servers}/*/package.json", { cwd: root }).map((path) => dirname(path));
for (const folder of folders.toSorted((a, b) => a.localeCompare(b))) {
  if (manifestOf(join(root, folder)).private !== true) console.log(await pack(folder, into));
}
