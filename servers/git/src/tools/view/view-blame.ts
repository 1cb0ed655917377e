// view_blame: long pages of a blame with the lines of the file, for the blame view. They are in the structured result only.
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { counted } from "@oarlock/domain-kit";
import type { Dependencies } from "../../dependencies.ts";
import { result, z } from "../../schema.ts";
import { blameArguments, readBlamePage } from "../inspect/git-blame.ts";

/** Views show more than a model should read. */
const MAX_BYTES = 400_000;

export const viewBlame = (deps: Dependencies) =>
  tool({
    name: "view_blame",
    title: "Lines of a blame",
    description: "Get lines of a file with the commits that changed them last, for the blame view. Takes the cursors of git_blame.",
    input: blameArguments,
    output: () =>
      result({
        hunks: z.array(z.looseObject({ startLine: z.int(), endLine: z.int(), hash: z.string() })),
        lines: z.array(z.string()),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ visibility: ["app"] })],
    async run(input, ctx) {
      const { page, structured } = await readBlamePage(deps, input, MAX_BYTES, ctx);
      return { content: counted(page.fileLines.length, "line"), structured: { ...structured, lines: page.fileLines } };
    },
  });
