// move_file: move or rename; an existing destination is refused, or replaced after its user agreed.
import { tool, ToolError } from "@oarlock/server-kit";
import { move } from "../disk/move.ts";
import type { Parts } from "../parts.ts";
import { isYes } from "../questions.ts";
import { flag, object, text, z } from "../schema.ts";

export const moveFile = ({ folders, allowDelete }: Parts) =>
  tool({
    name: "move_file",
    title: "Move file",
    description:
      "Move or rename a file or directory. Fails if the destination exists; with overwrite an existing file there is replaced, after the user agreed.",
    input: () =>
      object({
        source: text("What to move"),
        destination: text("Its new path"),
        overwrite: flag("Replace an existing file; the user is asked first"),
      }),
    output: () => object({ content: z.string(), replaced: z.boolean() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ source, destination, overwrite }, ctx) {
      const area = await folders.of(ctx);
      const replaces = overwrite && exists(() => area.look(destination));
      if (replaces && !allowDelete) {
        if (!ctx.client.can("elicit")) {
          throw new ToolError(
            `${destination} exists, and your client cannot ask its user whether to replace it. Move it away first, or start the server with --allow-delete.`,
          );
        }
        if (!(await isYes(ctx, `Replace ${destination} by ${source}? What is there now is lost.`))) {
          throw new ToolError(`Not moved: the user did not agree to replace ${destination}.`);
        }
      }
      await move(area, source, destination, { overwrite: replaces });
      const content = `Successfully moved ${source} to ${destination}`;
      return { content, structured: { content, replaced: replaces } };
    },
  });

function exists(look: () => unknown): boolean {
  try {
    look();
    return true;
  } catch {
    return false; // what is wrong with the path is said by the move itself
  }
}
