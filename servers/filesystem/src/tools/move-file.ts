// move_file: move or rename; an existing destination is refused, or replaced after its user agreed.
import { tool } from "@oarlock/server-kit";
import { mayReplace } from "../replace-confirmation.ts";
import type { Parts } from "../dependencies.ts";
import { flag, object, result, text, z } from "../schema.ts";

export const moveFile = ({ folders, allowDelete }: Parts) =>
  tool({
    name: "move_file",
    title: "Move file",
    description: "Move or rename a file or directory. Fails if the destination exists, unless overwrite.",
    input: () =>
      object({
        source: text("What to move"),
        destination: text("Its new path"),
        overwrite: flag("Replace a file there; the user is asked"),
      }),
    output: () => result({ content: z.string(), replaced: z.boolean() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ source, destination, overwrite }, ctx) {
      const [{ move, mustBeMovable }, area] = await Promise.all([import("../disk/transfer/move.ts"), folders.of(ctx)]);
      const check = () => mustBeMovable(area, source, destination);
      const replaces = await mayReplace(area, { source, destination, overwrite, allowDelete, check }, "move", ctx);
      await move(area, source, destination, { overwrite: replaces });
      const content = `Successfully moved ${source} to ${destination}`;
      return { content, structured: { content, replaced: replaces } };
    },
  });
