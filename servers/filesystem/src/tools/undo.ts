// undo: brings back a deleted or overwritten file from the trash, or lists what can be brought back.
import { escapeControls } from "@oarlock/domain-kit";
import { tool, type ToolDefinition } from "@oarlock/server-kit";
import type { Dependencies, OpenTrash } from "../dependencies.ts";
import type { Slot } from "../disk/trash/slots.ts";
import { sizeText } from "../disk/tree/listing-text.ts";
import { object, result, text, z } from "../schema.ts";
import { withUndo } from "../undo-notice.ts";

const MAX_LISTED = 50;

export const undo = ({ areas }: Dependencies, openTrash: OpenTrash): ToolDefinition =>
  tool({
    name: "undo",
    title: "Undo",
    description: "Bring back a deleted or overwritten file by the id from that reply; without an id, list what can be brought back.",
    input: () => object({ id: z.optional(text("From the reply, or the list")) }),
    output: () => result({ content: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ id }, ctx) {
      const [trash, area] = await Promise.all([openTrash(), areas.of(ctx)]);
      if (id === undefined) {
        await trash.removeOld();
        const kept = trash.list(area, MAX_LISTED);
        const content = kept.length > 0 ? kept.map(lineOf).join("\n") : "Nothing can be brought back.";
        return {
          content,
          structured: { content, kept: kept.map(({ id, path, act, time, bytes }) => ({ id, path, act, time: time.toISOString(), bytes })) },
        };
      }
      const restored = await trash.restore(area, id, ctx.signal);
      const content = `Successfully brought back ${escapeControls(restored.path)}`;
      return { content: withUndo(content, restored.undo), structured: { content, path: restored.path, undo: restored.undo } };
    },
  });

const lineOf = ({ id, path, act, time, bytes }: Slot): string =>
  `${id}: ${escapeControls(path)} (${act} ${time.toISOString()}, ${sizeText(bytes)})`;
