// append_insight: adds an insight to the memo.
import { tool } from "@oarlock/server-kit";
import { object, result, text, z } from "../argument-schemas.ts";
import type { Dependencies } from "../dependencies.ts";

export const appendInsight = ({ insights }: Dependencies) =>
  tool({
    name: "append_insight",
    title: "Note an insight",
    description: "Add an insight from the data to the memo (memo://insights). Does not change the database.",
    input: () => object({ insight: text("The insight, in a sentence or two") }),
    output: () => result({ count: z.int() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    run({ insight }) {
      const { count, isSaved } = insights.add(insight);
      const note = isSaved ? "" : " (it is lost when this server ends: its file cannot be written)";
      return { content: `Insight added to memo${note}`, structured: { count } };
    },
  });
