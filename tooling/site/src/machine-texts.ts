// The site for models: each page as Markdown beside its HTML, a list of them (llms.txt), and all in one file (llms-full.txt).
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CONTENT } from "./gather.ts";
import { PAGES, SECTIONS } from "./pages.ts";

const INTRODUCTION = `# Oarlock

> Four Model Context Protocol servers (filesystem, git, sqlite, memory), and the kit that they are built on, in TypeScript. All five
> published revisions of the protocol, over stdio, Streamable HTTP and HTTP+SSE.
`;

export function writeMachineTexts(site: string): void {
  for (const { path } of PAGES) cpSync(join(CONTENT, `${path}.md`), join(site, `${path}.md`));
  const lists = SECTIONS.map(
    ({ title, pages }) => `## ${title}\n\n${pages.map((page) => `- [${page.title}](${page.path}.md)`).join("\n")}\n`,
  );
  writeFileSync(join(site, "llms.txt"), [INTRODUCTION, ...lists].join("\n"));
  const whole = PAGES.map(({ path }) => readFileSync(join(CONTENT, `${path}.md`), "utf8").trim());
  writeFileSync(join(site, "llms-full.txt"), `${whole.join("\n\n---\n\n")}\n`);
}
