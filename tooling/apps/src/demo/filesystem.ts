// Demo of the filesystem server: a small project.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ServerDemo } from "./server-demo.ts";

const FILES: Record<string, string> = {
  "README.md": "# Harbour\n\nBerths, boats and tides.\n",
  "package.json": '{ "name": "harbour", "version": "1.2.0" }\n',
  "src/berths.ts": `export const BERTHS = ${JSON.stringify(
    Array.from({ length: 120 }, (_, at) => ({ berth: at + 1, length: 6 + (at % 9) })),
    null,
    2,
  )};\n`,
  "src/tides/table.ts": `// heights in metres\n${"export const HIGH = [4.1, 4.4, 4.9];\n".repeat(60)}`,
  "src/tides/sources.ts": "export const GAUGE = 'pier head';\n",
  "docs/moorings.md": "A mooring has a buoy, a chain and a sinker.\n".repeat(40),
  "docs/pictures/chart.svg": `<svg xmlns="http://www.w3.org/2000/svg">${"<path d='M0 0h10'/>".repeat(900)}</svg>\n`,
  "test/berths.test.ts": "// nothing yet\n",
};

export const filesystem: ServerDemo = {
  server: "filesystem",
  async prepare(folder) {
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return {
      args: ["--no-trash", folder],
      views: [
        { view: "tree", title: "Directory tree with sizes", tool: "directory_tree", args: { path: folder } },
        {
          view: "diff",
          title: "Preview of an edit, with Apply",
          tool: "edit_file",
          args: {
            path: join(folder, "README.md"),
            edits: [{ oldText: "boats and tides", newText: "boats, moorings and tides" }],
            dryRun: true,
          },
        },
      ],
    };
  },
};
