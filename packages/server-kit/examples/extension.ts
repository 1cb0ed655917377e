// An extension of your own: a setting that clients see, a method, and a tool that knows whether the client declared the extension.
import { defineServer, invalidParams, tool, type Extension } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";

const LOOKUP = "com.example/lookup";
const words = new Map([["oarlock", "a holder for an oar"]]);

const lookup: Extension = {
  id: LOOKUP,
  since: "2026-07-28", // no client of an older revision sees it
  settings: { languages: ["en"] },
  requiresClient: true, // clients that did not declare it get error -32021
  start: () => ({
    methods: {
      "lookup/define": {
        nameMember: "word", // HTTP clients repeat it in the header Mcp-Name
        run({ word }) {
          const definition = typeof word === "string" ? words.get(word) : undefined;
          if (definition === undefined) throw invalidParams("word: expected a word of the dictionary");
          return { definition };
        },
      },
    },
  }),
};

const help = tool({
  name: "help",
  run: (_input, ctx) => (ctx.client.extension(LOOKUP) === undefined ? "This client has no dictionary." : "Call lookup/define."),
});

const server = defineServer({ name: "dictionary", version: "1.0.0", tools: [help], extensions: [lookup] });
await serveStdio(server).ended;
