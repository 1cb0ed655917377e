import { defineServer, tool } from "@oarlock/server-kit";
import * as z from "zod";

export const createServer = (greeting: string) =>
  defineServer({
    name: "greeter",
    version: "1.0.0",
    tools: [tool({ name: "greet", input: z.object({ name: z.string() }), run: ({ name }) => `${greeting}, ${name}!` })],
  });
