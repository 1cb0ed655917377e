// The clients of the field: the official ones, then libraries, then programs.
import type { FieldClient } from "../src/field/field-client.ts";
import { aiSdk } from "./clients/ai-sdk.ts";
import { geminiCli, inspector } from "./clients/commands.ts";
import { mcpProxy, supergateway } from "./clients/gateways.ts";
import { langchain } from "./clients/langchain.ts";
import { llamaIndex } from "./clients/llamaindex.ts";
import { mastra } from "./clients/mastra.ts";
import { mcpRemote } from "./clients/mcp-remote.ts";
import { mcpUse } from "./clients/mcp-use.ts";
import { mcporter } from "./clients/mcporter.ts";
import { sdkV1, sdkV2 } from "./clients/official.ts";
import { openaiAgents } from "./clients/openai-agents.ts";

export const FIELD_CLIENTS: readonly FieldClient[] = [
  ...[sdkV1, sdkV2],
  ...[aiSdk, langchain, llamaIndex, mastra, mcpUse, openaiAgents],
  ...[mcporter, mcpRemote, mcpProxy, supergateway, inspector, geminiCli],
];
