// Gathers the pages of the site from the repository into `content/`, which git ignores.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
    const file = join(CONTENT, `${page.path}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    for (const image of used) images.add(image);
  }
  for (const image of images) cpSync(join(ROOT, image), join(CONTENT, "files", image));
}

if (import.meta.main) gather();
