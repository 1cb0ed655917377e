/** What the code blocks of READMEs take for granted. */
import type { defineServer as define, Server, ToolDefinition } from "@oarlock/server-kit";
import type { Command } from "@oarlock/testing";
import type { expect as expectValue, test as testCase } from "vitest";

declare global {
  const server: Server;
  const secret: string;
  const folder: string;
  const target: { server: typeof createServer; command: Command };
  function createServer(): Server;
  function removeTool(removed: string[]): ToolDefinition;
  const defineServer: typeof define;
  const test: typeof testCase;
  const expect: typeof expectValue;
}
