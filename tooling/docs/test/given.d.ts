/** Declarations that the code blocks of READMEs use without declaring them. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { defineServer as define, Server, ToolDefinition } from "@oarlock/server-kit";
import type { Command } from "@oarlock/testing";
import type { expect as expectValue, test as testCase } from "vitest";

declare global {
  const server: Server;
  const secret: string;
  const folder: string;
  const target: { server: typeof createServer; command: Command };
  function createServer(): Server;
  const greet: ToolDefinition;
  function remove(path: string): string;
  function app(request: IncomingMessage, response: ServerResponse): void;
  function removeTool(removed: string[]): ToolDefinition;
  const defineServer: typeof define;
  const test: typeof testCase;
  const expect: typeof expectValue;
}
