#!/usr/bin/env node
import { cli } from "@oarlock/server-kit/node";
import { createServer } from "./server.ts";

void cli({
  name: "greeter",
  version: "1.0.0",
  summary: "greets people, for Model Context Protocol hosts",
  flags: { greeting: { type: "text", value: "TEXT", default: "Hello", help: "what to say" } },
  create: ({ greeting }) => createServer(greeting),
});
