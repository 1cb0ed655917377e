// change_mode: the mode bits of a file or directory, such as the executable bit. In a toolset that is off by default.
import { escapeControls } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import type { Dependencies } from "../../dependencies.ts";
import { object, result, text, z } from "../../schema.ts";

export const changeMode = ({ sandboxes }: Dependencies) =>
  tool({
    name: "change_mode",
    title: "Change mode",
    description: "Change the permission bits of a file or directory, as chmod does; gives the mode before.",
    toolset: "modes",
    input: () => object({ path: text("File or directory"), mode: text("Such as 755, +x or u=rw,go-w") }),
    output: () => result({ content: z.string(), before: z.string(), after: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    async run({ path, mode }, ctx) {
      const changing = await import("../../disk/rights/mode-change.ts");
      const changed = changing.changeMode(await sandboxes.of(ctx), path, mode);
      const [before, after] = [changing.octal(changed.before), changing.octal(changed.after)];
      const content =
        before === after
          ? `No change: ${escapeControls(path)} has mode ${after}`
          : `Mode of ${escapeControls(path)}: ${after}, before ${before}`;
      return { content, structured: { content, before, after } };
    },
  });
