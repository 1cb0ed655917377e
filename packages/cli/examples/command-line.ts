#!/usr/bin/env node
// The command of a server: stdio and --http, --help, --print-config and the other shared switches, and one of its own.
import { cli } from "@oarlock/cli";
import { defineServer, tool } from "@oarlock/server-kit";
import * as z from "zod";

const createServer = (greeting: string) =>
  defineServer({
    name: "greeter",
    version: "1.0.0",
    tools: [tool({ name: "greet", input: z.object({ name: z.string() }), run: ({ name }) => `${greeting}, ${name}!` })],
  });

void cli({
  name: "greeter",
  version: "1.0.0",
  summary: "greets people, for Model Context Protocol hosts",
  flags: { greeting: { type: "text", value: "TEXT", default: "Hello", help: "what to say" } },
  create: ({ greeting }) => createServer(greeting),
});
