// The smallest server: one tool, over stdio.
import { defineServer, tool } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";
import * as z from "zod";

const greet = tool({
  name: "greet",
  title: "Greet a person",
  description: "Greet a person by name.",
  input: z.object({ name: z.string().describe("The name of the person") }),
  hints: { readOnly: true },
  run: ({ name }) => `Hello, ${name}!`,
});

const server = defineServer({ name: "hello", version: "1.0.0", tools: [greet] });
await serveStdio(server).ended;
