/** A file to edit, and edits for it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editText, type EditOptions } from "../../../src/disk/edit/file-editor.ts";
import type { Edit } from "../../../src/disk/edit/replacements.ts";
import { world } from "./world.ts";

/** A file with this content, and a way to edit it that gives its bytes afterwards. */
export async function editor(content: string | Buffer) {
  const { root, open } = world();
  const path = join(root, "f");
  writeFileSync(path, content);
  const sandbox = await open();
  const edit = (edits: Edit[], options?: EditOptions) => editText(sandbox, "f", edits, options);
  const bytes = () => readFileSync(path);
  return { edit, bytes, path, text: () => bytes().toString() };
}

export const one = (oldText: string, newText: string, rest: Partial<Edit> = {}): Edit[] => [{ oldText, newText, ...rest }];
