// A tool that asks the user before it deletes something. The same code serves sessions and stateless requests:
// without a session the handler stops at ctx.elicit() and runs again from the start once the client sends the answer.
import { defineServer, tool, ToolError } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";
import * as z from "zod";

const notes = new Set(["shopping", "ideas"]);

const deleteNote = tool({
  name: "delete_note",
  description: "Delete a note after the user has accepted.",
  input: z.object({ name: z.string() }),
  hints: { destructive: true },
  async run({ name }, ctx) {
    // 1. Check: this part may run twice, so it changes nothing.
    if (!notes.has(name)) throw new ToolError(`Note "${name}" not found.`);
    if (!ctx.client.can("elicit")) throw new ToolError("This tool needs a client that supports elicitation.");
    // 2. Ask.
    const answer = await ctx.elicit({ message: `Delete the note "${name}"?`, schema: z.object({ confirm: z.boolean() }) });
    if (answer.action !== "accept" || !answer.content.confirm) return "Declined: the note was kept.";
    // 3. Act: runs once.
    notes.delete(name);
    return "Deleted.";
  },
});

const server = defineServer({ name: "notes", version: "1.0.0", tools: [deleteNote] });
await serveStdio(server).ended;
