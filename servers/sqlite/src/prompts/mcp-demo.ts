// The prompt mcp-demo of the reference server: a tour with a made-up database about a topic.
import { prompt } from "@oarlock/server-kit";
import { object, text } from "../argument-schemas.ts";

export const mcpDemo = () =>
  prompt({
    name: "mcp-demo",
    title: "Demo",
    description: "A prompt to seed the database with initial data and demonstrate what you can do with an SQLite MCP Server + Claude",
    args: () => object({ topic: text("Topic to seed the database with initial data") }),
    get: ({ topic }) =>
      [
        `Let us look at what a SQLite database can do, with made-up data about ${topic}.`,
        "1. Tell me a short story about the topic in which a person has to make a decision that data could support.",
        "2. Make two or three tables for it with create_table, and fill them with write_query: twenty rows or so, parameters bound.",
        "3. Offer me a few questions to choose from, answer the ones I choose with read_query, and show the SQL.",
        "4. Note each finding with append_insight; the memo is at memo://insights.",
        "5. End with a summary of the memo. Change nothing but these tables, and ask me before you drop them.",
      ].join("\n"),
  });
