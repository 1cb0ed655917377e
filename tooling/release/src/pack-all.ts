/** Packs everything that is published: `pnpm pack:all [DIR]`, by default into `tarballs/`. */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { packAll } from "./pack.ts";
import { root } from "./repository.ts";

// Where it was typed counts, wherever the script that it is runs.
const into = resolve(process.env.INIT_CWD ?? root, process.argv[2] ?? "tarballs");
mkdirSync(into, { recursive: true });
for (const file of (await packAll(into)).values()) console.log(file);
