// The ten tools for servers of the official SDK, with the schemas of tools.js written the way an author of a server writes them.
import { z } from "zod";
import { tools } from "../src/tools.js";

export const info = { name: "bench", version: "1.0.0" };
export const said = (text) => ({ content: [{ type: "text", text }] });

const by = {
  echo: { inputSchema: { message: z.string().describe("Text to send back") }, run: ({ message }) => said(message) },
  add: { inputSchema: { a: z.number(), b: z.number() }, run: ({ a, b }) => said(String(a + b)) },
};

const filler = () => ({
  inputSchema: {
    path: z.string().describe("A path relative to the root"),
    query: z.string().optional().describe("What to look for"),
    limit: z.number().int().min(1).max(1000).optional().describe("At most this many"),
    recursive: z.boolean().optional().describe("Descend into folders"),
    tags: z.array(z.string()).optional().describe("Labels"),
  },
  run: () => said("ok"),
});

// Made once and not for each server, which costs a session three times the memory.
export const definitions = tools.map(({ name, description }) => ({ name, description, ...(by[name] ?? filler()) }));
