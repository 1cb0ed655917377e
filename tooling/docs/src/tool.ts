import { tool, ToolError } from "@oarlock/server-kit";
import * as z from "zod";

export const divide = tool({
  name: "divide",
  description: "Divide one number by another.",
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ quotient: z.number() }),
  hints: { readOnly: true },
  run({ a, b }) {
    if (b === 0) throw new ToolError("b must not be 0; give another one");
    return { quotient: a / b };
  },
});
