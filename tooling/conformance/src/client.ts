/**
 * The client that the official suite drives: `client.js URL`. It connects, asks for all that it is offered, and calls each tool
 * once, which is all that the scenarios need; so it does not look at their names. Scenarios with special arguments name them.
 */
import { connect, type Client } from "@oarlock/client";
import { skillsOf } from "@oarlock/client/skills";
import { isObject, McpError, type Json, type Tool } from "@oarlock/server-kit/protocol";
import { authorizationFor } from "./authorization.ts";

/** The tools that want arguments. */
const ARGUMENTS: Record<string, (tools: readonly Tool[]) => Json> = {
  add_numbers: () => ({ a: 2, b: 3 }),
  json_schema_echo: (tools) => ({ schema: tools.find(({ name }) => name === "json_schema_2020_12_tool")?.inputSchema }),
};

const [url] = process.argv.slice(2);
if (url === undefined) throw new Error("Usage: client.js URL");
const revision = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION;
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context: unknown = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");

void run(url);

async function run(url: string): Promise<void> {
  const authorize = await authorizationFor(scenario, isObject(context) ? context : {}, url);
  await using client = await connect(
    { url, ...(authorize && { authorize }) },
    {
      ...(revision !== undefined && { revision }),
      roots: [],
      elicit: () => ({ action: "accept", content: {} }), // filled up with the defaults
      sample: () => ({ role: "assistant", content: { type: "text", text: "Nothing to say." }, model: "none" }),
      onFault: (what) => console.log(what),
    },
  );
  if (scenario.startsWith("sep-2640-client-")) await useSkills(client, scenario !== "sep-2640-client-no-prefetch");
  else await readAll(client);
  const tools = client.capabilities.tools === undefined ? [] : await client.tools().all();
  for (const { name, args } of callsWanted() ?? tools.map((tool) => ({ name: tool.name, args: ARGUMENTS[tool.name]?.(tools) ?? {} }))) {
    const { content } = await client.call(name, args).catch(refused);
    console.log(`${name}: ${JSON.stringify(content)}`);
  }
}

/** The suite lists tools that it cannot be asked for; what it answers then is its business. */
function refused(error: unknown): { content: unknown } {
  if (error instanceof McpError) return { content: error.message };
  throw error;
}

/** Lists the skills, and where it is wanted loads each with all its files. A file that does not fit ends the client. */
async function useSkills(client: Client, isLoaded: boolean): Promise<void> {
  const skills = skillsOf(client);
  for await (const skill of skills.list()) {
    console.log(skill.uri);
    if (!isLoaded) continue;
    const { read } = await skills.load(skill);
    if (skill.resources !== "dynamic") for (const { uri } of skill.resources) await read(uri);
  }
}

async function readAll(client: Client): Promise<void> {
  const { capabilities } = client;
  if (capabilities.resources !== undefined) for await (const { uri } of client.resources()) await client.read(uri);
  if (capabilities.prompts !== undefined) for await (const { name } of client.prompts()) await client.prompt(name);
}

/** What a scenario wants to be called; undefined when it does not say. */
function callsWanted(): { name: string; args: Json }[] | undefined {
  if (!isObject(context) || !Array.isArray(context.toolCalls)) return undefined;
  return context.toolCalls
    .filter(isObject)
    .map((call) => ({ name: String(call.name), args: isObject(call.arguments) ? call.arguments : {} }));
}
