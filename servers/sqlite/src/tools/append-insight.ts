// append_insight: notes an insight in the memo.
import { tool } from "@oarlock/server-kit";
import type { Parts } from "../dependencies.ts";
import { object, result, text, z } from "../argument-schemas.ts";

export const appendInsight = ({ insights }: Parts) =>
  tool({
    name: "append_insight",
    title: "Note an insight",
    description: "Add an insight from the data to the memo (memo://insights). The database itself is not changed.",
    input: () => object({ insight: text("The insight, in a sentence or two") }),
    output: () => result({ count: z.int() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    run({ insight }) {
      const { count, kept } = insights.add(insight);
      const note = kept ? "" : " (only until this server ends)";
      return { content: `Insight added to memo${note}`, structured: { count } };
    },
  });
