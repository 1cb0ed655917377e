// list_allowed_directories: lists the directories that the server may touch.
import { tool } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import type { Dependencies } from "../../dependencies.ts";
import { object, z } from "../../schema.ts";

export const listAllowedDirectories = ({ sandboxes }: Dependencies) =>
  tool({
    name: "list_allowed_directories",
    title: "List allowed directories",
    description: "List the directories that may be used, and which may be written.",
    output: () =>
      object({
        content: z.string(),
        directories: z.array(z.looseObject({ path: z.string() })),
      }),
    hints: { readOnly: true, openWorld: false },
    async run(_input, ctx) {
      const { roots } = await sandboxes.of(ctx);
      const lines = roots.length > 0 ? roots.map(({ real }) => escapeControls(real)) : [`(none: ${sandboxes.whyEmpty})`];
      const content = `Allowed directories:\n${lines.join("\n")}`;
      // A directory that the operator did not name comes from the client's roots.
      const named = new Set(sandboxes.disk.roots.map(({ real }) => real));
      const directories = roots.map(({ real, readOnly }) => ({
        path: real,
        writable: !readOnly,
        source: named.has(real) ? "cli" : "roots",
      }));
      return { content, structured: { content, directories } };
    },
  });
