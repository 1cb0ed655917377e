// AskingServer: a server with the view of edit_file whose tool asks the user before it edits; the one of the filesystem server never asks.
import { readFileSync } from "node:fs";
import { confirm, defineServer, tool, ToolError } from "@oarlock/server-kit";
import { apps, view, ui } from "@oarlock/extensions/apps";
import { serveHttp } from "@oarlock/server-kit/node";
import * as z from "zod";

const HTML = new URL("../../../../servers/filesystem/dist/views/diff.html", import.meta.url);
const DIFF = "```diff\nIndex: poem.txt\n--- poem.txt\n+++ poem.txt\n@@ -1 +1 @@\n-one\n+two\n```\n";

export interface AskingServer extends AsyncDisposable {
  readonly url: URL;
  /** How often an edit was made. */
  edits(): number;
}

/** `origins`: pages that may connect. */
export async function startAskingServer(...origins: string[]): Promise<AskingServer> {
  let edits = 0;
  const diffView = view({ uri: "ui://asking/diff.html", html: async () => readFileSync(HTML, "utf8") });
  const editFile = tool({
    name: "edit_file",
    input: z.object({ edits: z.array(z.string()), dryRun: z.boolean(), expectedEtag: z.optional(z.string()) }),
    output: z.object({ etag: z.string() }),
    extensions: [ui({ view: diffView })],
    async run({ dryRun }, ctx) {
      const reply = { content: DIFF, structured: { etag: '"1"' } };
      if (dryRun) return reply;
      if (!(await confirm(ctx, "Edit poem.txt?"))) throw new ToolError("Not edited: the user declined.");
      edits += 1;
      return reply;
    },
  });
  const server = defineServer({ name: "asking", version: "1.0.0", tools: [editFile], extensions: [apps({ views: [diffView] })] });
  const { url, stop } = await serveHttp(server, { port: 0, allowedOrigins: origins });
  return { url: new URL(url), edits: () => edits, [Symbol.asyncDispose]: stop };
}
