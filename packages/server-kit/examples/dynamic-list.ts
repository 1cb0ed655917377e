// A list that changes while the server runs: tools can be installed and removed, and clients are notified once for each change.
import { defineServer, tool, ToolError } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";
import * as z from "zod";

const install = tool({
  name: "install_greeting",
  description: "Add tools that greet in these languages.",
  input: z.object({ languages: z.array(z.enum(["de", "fr", "it"])).min(1) }),
  run({ languages }) {
    const missing = languages.filter((language) => server.tools.get(`greet_${language}`) === undefined);
    server.tools.add(...missing.map(greeting));
    return `Added: ${missing.join(", ") || "none"}.`;
  },
});

const remove = tool({
  name: "remove_greeting",
  input: z.object({ language: z.string() }),
  run({ language }) {
    const name = `greet_${language}`;
    if (server.tools.get(name) === undefined) throw new ToolError(`No tool ${name}. Call install_greeting first.`);
    server.tools.remove(name);
    return "Removed.";
  },
});

const WORDS = { de: "Guten Tag", fr: "Bonjour", it: "Buongiorno" };

const greeting = (language: keyof typeof WORDS) =>
  tool({
    name: `greet_${language}`,
    input: z.object({ name: z.string() }),
    hints: { readOnly: true },
    run: ({ name }) => `${WORDS[language]}, ${name}!`,
  });

export const server = defineServer({ name: "greetings", version: "1.0.0", tools: [install, remove] });

if (process.argv[1] === import.meta.filename) await serveStdio(server).ended;
