/** The folder that the filesystem suite works on, made once and kept. */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { madeOnce, numberedLine } from "./paths.ts";

const MIB = 1024 * 1024;
const PER_FOLDER = 100;

/** Numbered lines, cut at so many bytes. */
function lines(bytes: number): string {
  const parts: string[] = [];
  for (let at = 0, length = 0; length < bytes; at++) {
    const next = numberedLine(at);
    parts.push(next);
    length += next.length;
  }
  return parts.join("").slice(0, bytes);
}

/** A folder with `tree/` of so many small files, `1k.txt`, `1m.txt` and `100m.txt`. */
export const tree = (files: number): string => madeOnce(`tree-${files}`, (draft) => makeTree(draft, files));

function makeTree(draft: string, files: number): void {
  for (let at = 0; at < files; at += PER_FOLDER) {
    const inner = join(draft, "tree", `pkg${Math.floor(at / PER_FOLDER / 10)}`, `dir${(at / PER_FOLDER) % 10}`);
    mkdirSync(inner, { recursive: true });
    for (let name = 0; name < PER_FOLDER; name++) writeFileSync(join(inner, `file${name}.${["ts", "js", "md", "json"][name % 4]}`), "x\n");
  }
  const block = lines(MIB);
  writeFileSync(join(draft, "1k.txt"), lines(1024));
  writeFileSync(join(draft, "1m.txt"), block);
  const large = openSync(join(draft, "100m.txt"), "w");
  for (let written = 0; written < 100; written++) writeSync(large, block);
  closeSync(large);
}
