/** Packs everything that is published: `pnpm pack:all [DIR]`, by default into `tarballs/`. */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { pack } from "./pack.ts";
import { publishedFolders, root } from "./repository.ts";

// Where it was typed counts, wherever the script that it is runs.
const into = resolve(process.env.INIT_CWD ?? root, process.argv[2] ?? "tarballs");
mkdirSync(into, { recursive: true });
for (const folder of publishedFolders()) console.log(await pack(folder, into));
