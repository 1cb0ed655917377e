// A tool with a declared output: clients get structured content and the same as text. A ToolError is a message for the model.
import { defineServer, tool, ToolError } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";
import * as z from "zod";

const divide = tool({
  name: "divide",
  description: "Divide one number by another.",
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ quotient: z.number() }),
  hints: { readOnly: true },
  run({ a, b }) {
    if (b === 0) throw new ToolError("Cannot divide by zero: b must not be 0. Pass another b.");
    return { quotient: a / b };
  },
});

const server = defineServer({ name: "calculator", version: "1.0.0", tools: [divide] });
await serveStdio(server).ended;
