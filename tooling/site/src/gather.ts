// Gathers the pages of the site from the repository into `content/`, which git ignores.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withExampleCode } from "./example-code.ts";
import { rewriteLinks } from "./links.ts";
import { PAGES } from "./pages.ts";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
export const CONTENT = fileURLToPath(new URL("../content", import.meta.url));

export function gather(): void {
  rmSync(CONTENT, { recursive: true, force: true });
  const images = new Set<string>();
  for (const page of PAGES) {
    const source = withExampleCode(readFileSync(join(ROOT, page.source), "utf8"), page, ROOT);
    const { text, images: used } = rewriteLinks(source, page, ROOT);
    write(join(CONTENT, `${page.path}.md`), text);
    for (const image of used) images.add(image);
  }
  for (const image of images) {
    const to = join(CONTENT, "files", image);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(ROOT, image), to);
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

if (import.meta.main) gather();
