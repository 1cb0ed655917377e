/** A server with every fixture of the official suite. */
import { defineServer, type Server } from "@oarlock/server-kit";
import { skills } from "@oarlock/extensions/skills";
import { tasks as tasksExtension } from "@oarlock/extensions/tasks";
import { prompts } from "./prompts.ts";
import { resources } from "./resources.ts";
import { changes } from "./tools/changes.ts";
import { content } from "./tools/content.ts";
import { notes } from "./tools/notes.ts";
import { questions } from "./tools/questions.ts";
import { rounds } from "./tools/rounds.ts";
import { schemas } from "./tools/schemas.ts";
import { tasks } from "./tools/tasks.ts";

/** A new one at each call, as a server's lists are its own: two of its tools change them. */
export function createEverything(): Server {
  const server = defineServer({
    name: "oarlock-everything",
    version: "1.0.0",
    title: "Everything",
    description: "The fixtures of the official conformance suite.",
    tools: [...content, ...notes, ...questions, ...rounds, ...schemas, ...tasks],
    extensions: [
      tasksExtension(),
      skills({ dir: new URL("../skills", import.meta.url), base: "skill://oarlock-everything", listed: true }),
    ],
    resources,
    prompts,
  });
  server.tools.add(...changes(server));
  return server;
}
