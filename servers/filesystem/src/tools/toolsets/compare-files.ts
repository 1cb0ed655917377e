// compare_files: the differences of two files. In a toolset that is off by default.
import { counted, jsonStringBytes } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { pageBudget, type Dependencies } from "../../dependencies.ts";
import type { ComparedForm, Comparison } from "../../disk/compare/file-comparison.ts";
import { factsLine } from "../../replies/text-facts.ts";
import { object, path, result, text, z } from "../../schema.ts";

export const compareFiles = ({ sandboxes, maxResultBytes }: Dependencies) =>
  tool({
    name: "compare_files",
    title: "Compare files",
    description:
      "Show the differences of two files as a unified diff from path to other. Encodings and line endings are compared apart from the text.",
    toolset: "compare",
    input: () => object({ path, other: text("The file to compare it with") }),
    output: () => result({ content: z.string(), identical: z.boolean() }),
    hints: { readOnly: true, openWorld: false },
    async run({ path: given, other }, ctx) {
      const [comparing, { fencedWithin }] = await Promise.all([
        import("../../disk/compare/file-comparison.ts"),
        import("../../disk/edit/diff/diff-block.ts"),
      ]);
      const compared = await comparing.compareFiles(await sandboxes.of(ctx), given, other, ctx.signal);
      const summary = summaryOf(compared);
      const identical = compared.kind === "identical";
      if (compared.kind !== "text") return { content: summary, structured: { content: summary, identical } };
      const { additions, deletions, diff } = compared;
      const block =
        diff === ""
          ? { content: "", truncated: false }
          : fencedWithin(diff, pageBudget(maxResultBytes, undefined, 2) - 2 * jsonStringBytes(summary));
      const content = block.content === "" ? summary : `${summary}\n${block.content}`;
      return { content, structured: { content, identical, additions, deletions, truncated: block.truncated } };
    },
  });

function summaryOf(compared: Comparison): string {
  switch (compared.kind) {
    case "identical":
      return `Identical: both have the same ${counted(compared.bytes, "byte")}.`;
    case "binary":
      return `Different, and not both are text: ${compared.sizes.join(" and ")} bytes, first difference at byte ${compared.firstDifference}.`;
    case "text": {
      const { additions, deletions, forms } = compared;
      const [before, after] = forms.map(formText) as [string, string]; // one for each file
      const form = before === after ? "" : ` Not the same form: ${before} and ${after}.`;
      if (additions + deletions === 0) return `The same text, in other bytes.${form}`;
      return `${counted(additions, "line")} added, ${counted(deletions, "line")} removed.${form}`;
    }
  }
}

const formText = ({ encoding, bom, lineEnding }: ComparedForm): string => factsLine({ encoding, bom, lineEnding }).slice(1, -1);
