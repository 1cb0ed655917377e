#!/usr/bin/env node
// A server that keeps notes while it runs. Run it: node src/server.ts --help
import "@oarlock/server-kit/stdout"; // first: what other modules print while they load goes to stderr
import { readFileSync } from "node:fs";
import { defineServer, prompt, template, tool } from "@oarlock/server-kit";
import { cli } from "@oarlock/cli";
import * as z from "zod";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { name: string; version: string };
const name = manifest.name.replace(/^@.*\//, ""); // without a scope, as hosts show it
const { version } = manifest;

const notes = new Map([["welcome", "Notes last as long as the server runs."]]);

// part: tool
/** A tool: the model calls it. */
const addNote = tool({
  name: "add_note",
  title: "Add a note",
  description: "Keep a note under a title. A note that has this title already is replaced.",
  input: z.object({
    title: z.string().min(1).describe("Title of the note"),
    text: z.string().describe("What to keep"),
  }),
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  run({ title, text }) {
    notes.set(title, text);
    return `Kept "${title}".`;
  },
});

// end
// part: resource
/** A resource template: the host reads it by address. */
const note = template({
  uri: "note:///{+title}",
  name: "note",
  title: "Note",
  description: "One note.",
  mimeType: "text/plain",
  complete: { title: (typed) => [...notes.keys()].filter((title) => title.startsWith(typed)) },
  read: ({ title }) => notes.get(title),
});

// end
// part: prompt
/** A prompt: the user picks it from a menu. */
const sumUp = prompt({
  name: "sum_up",
  title: "Sum up the notes",
  description: "Ask for a summary of all notes.",
  args: z.object({ length: z.string().optional().describe("How long, such as: one sentence") }),
  get: ({ length = "a few lines" }) =>
    `Sum up these notes in ${length}.\n\n${[...notes].map(([title, text]) => `# ${title}\n${text}`).join("\n\n")}`,
});

// end
await cli({
  name,
  version,
  summary: "keeps notes, for Model Context Protocol hosts",
  flags: {},
  create: () =>
    defineServer({
      name,
      version,
      tools: [addNote], // part: tool
      resources: [note], // part: resource
      prompts: [sumUp], // part: prompt
    }),
});
