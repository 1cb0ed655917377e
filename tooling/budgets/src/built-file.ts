/** Built files: their paths, and an error where they are not built. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

export function built(path: string): string {
  const at = `${root}${path}`;
  if (!existsSync(at)) throw new Error(`Missing ${path}: run pnpm build first`);
  return at;
}
