// Runs the server as a host does, over stdio, in every revision of the protocol.
import { connectTo, everyRevision, nodeCommand } from "@oarlock/testing";
import { expect } from "vitest";

const server = nodeCommand(new URL("server.ts", import.meta.url));

// part: tool
everyRevision("add_note keeps a note", async (revision) => {
  await using connection = await connectTo(server, { revision });
  const { content } = await connection.client.call("add_note", { title: "milk", text: "Buy some." });
  expect(content).toEqual([{ type: "text", text: 'Kept "milk".' }]);
});

// end
// part: resource
everyRevision("note:/// returns a note", async (revision) => {
  await using connection = await connectTo(server, { revision });
  const { contents } = await connection.client.read("note:///welcome");
  expect(contents).toEqual([{ uri: "note:///welcome", mimeType: "text/plain", text: "Notes last as long as the server runs." }]);
});

everyRevision("note:/// completes titles", async (revision) => {
  await using connection = await connectTo(server, { revision });
  const { values } = await connection.client.complete({ type: "ref/resource", uri: "note:///{+title}" }, { name: "title", value: "wel" });
  expect(values).toEqual(["welcome"]);
});

// end
// part: prompt
everyRevision("sum_up asks for a summary of all notes", async (revision) => {
  await using connection = await connectTo(server, { revision });
  const { messages } = await connection.client.prompt("sum_up", { length: "one word" });
  const text = "Sum up these notes in one word.\n\n# welcome\nNotes last as long as the server runs.";
  expect(messages).toEqual([{ role: "user", content: { type: "text", text } }]);
});
// end
