/** The design page of a copy of a server: that of the original under the name of the copy, with the steps that add a tool to a copy. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `server`: the folder of the original; `source`: its address. */
export function designOf(server: string, source: string): string {
  const [, ...lines] = readFileSync(join(server, "DESIGN.md"), "utf8").split("\n");
  const registry = existsSync(join(server, "src/tools/index.ts")) ? "src/tools/index.ts" : "src/offer.ts";
  const original = lines.join("\n");
  const places = /^\| step \| here \|\n(?:\|.*\n)+/m.exec(original)?.[0] ?? "";
  const page = original
    .replace(/^## Add a tool\n[^]*?^(?=## )/m, "")
    .replace(/^(?=## Decisions\n)/m, `${addTool(registry)}${places === "" ? "" : `The places in this server:\n\n${places}\n`}`);
  return `# How my-server is built

The page of the original, a copy of which this server is. Files that it names and that are not here, such as those of \`tooling/\`, and the tests that
start processes, attack the server while it works or measure are in [the original's folder](${source}).
${page}`;
}

const addTool = (registry: string): string => `## Add a tool

1. **Work.** Write what the tool does into a room of the domain, without protocol.
2. **Tool.** Write its file below \`src/tools/\` after a neighbour: name, title, description, \`input\`, \`output\`, \`hints\`, and an \`async run(input, ctx)\`
   that checks what the schema cannot, calls the domain and shapes the reply.
3. **Registry.** Enter it in \`${registry}\`. Its place there is its place in \`tools/list\`.
4. **Test** it below \`test/tools/\` after the test of the neighbour, and run it: \`npx vitest run test/tools/NAME.test.ts\`.
5. **List.** \`UPDATE_GOLDEN=1 npx vitest run test/golden.test.ts\` stores the new list. The same file limits the size of the list and names the tools of
   \`--read-only\`: where it fails, change the number or the names there.
6. **All.** \`npm test\` builds, checks the types and runs every test.

`;
