/** Packs everything that is published: `pnpm pack:all [DIR]`, into `tarballs/` unless told otherwise. */
import { globSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pack } from "./pack.ts";
import { root } from "./places.ts";

// Where it was typed counts, wherever the script that it is runs.
const into = resolve(process.env.INIT_CWD ?? root, process.argv[2] ?? "tarballs");
mkdirSync(into, { recursive: true });
for (const manifest of globSync("{packages,servers}/*/package.json", { cwd: root }).toSorted((a, b) => a.localeCompare(b))) {
  console.log(await pack(dirname(manifest), into));
}
