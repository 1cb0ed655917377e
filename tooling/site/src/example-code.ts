// The code of examples below the table that lists them: in the repository the files are a click away, on the site they are read in one go.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import type { Page } from "./pages.ts";

/** For the list of examples; other pages stay as they are. */
export function withExampleCode(text: string, { source }: Page, root: string): string {
  if (!source.endsWith("/examples/README.md")) return text;
  const rows = [...text.matchAll(/^\| \[([^\]]+)\]\((\S+)\) \| (.+) \|$/gm)];
  const parts = rows.map(([, name = "", path = "", shows = ""]) => {
    const code = readFileSync(join(root, dirname(source), path), "utf8");
    return `## ${name}\n\nShows ${shows}.\n\n\`\`\`ts\n${code}\`\`\`\n`;
  });
  return `${text}\n${parts.join("\n")}`;
}
