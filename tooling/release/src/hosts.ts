/**
 * How hosts, the MCP Inspector and agent libraries start a server from npm: parts of READMEs and docs/hosts.md. Entries for hosts are
 * those of `--print-config`; links install with one click.
 */
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { configFor } from "../../../packages/cli/src/host-config.ts";
import type { Host } from "../../../packages/cli/src/shared-flags.ts";
import { packageOf, type About } from "./about.ts";

const HOSTS: Readonly<Record<Exclude<Host, "json">, string>> = {
  "claude-desktop": "Claude Desktop",
  "claude-code": "Claude Code",
  vscode: "VS Code",
  cursor: "Cursor",
  codex: "Codex",
  gemini: "Gemini CLI",
  zed: "Zed",
};

/** The arguments of npx, with an example of the positionals. */
export const argsOf = (about: About): string[] => [
  "-y",
  packageOf(about),
  ...(about.positionals === undefined ? [] : [about.positionals.example]),
];

/** The part of a server's README: links that install, and the entry that most hosts take. */
export function hostEntry(about: About): string {
  const { entry } = configFor("json", about.name, { command: "npx", args: argsOf(about) });
  return `${links(about)}\n\n\`\`\`json\n${entry}\`\`\`\n\n${MORE}`;
}

const MORE =
  "[Connect a host](../../docs/hosts.md) has the file and the form of each host, the MCP Inspector, agent libraries, and what Windows needs.";

/** The page for all servers: what differs between them, and the entry of the first one in each host. */
export function hostsPage(servers: readonly About[]): string {
  const [first] = servers;
  if (first === undefined) return "";
  const command = { command: "npx", args: argsOf(first) };
  const blocks = Object.entries(HOSTS).map(([host, title]) => {
    const { entry, place } = configFor(host as Host, first.name, command); // a key of it
    const language = host === "codex" ? "toml" : "json";
    return details(title, `In ${place}:\n\n\`\`\`${language}\n${entry}\`\`\``);
  });
  const rows = servers.map((about) => {
    const { tool, argument } = about.call;
    return [about.name, `\`${argsOf(about).slice(1).join(" ")}\``, `\`--tool-name ${tool} --tool-arg ${quoted(argument)}\``];
  });
  return [
    markdownTable(["server", "arguments behind `-y`", "a first call by the Inspector"], rows),
    ...blocks,
    inspectorBlock(first),
    libraryBlock(first),
  ].join("\n\n");
}

const details = (title: string, text: string): string => `<details>\n<summary>${title}</summary>\n\n${text}\n\n</details>`;

function inspectorBlock(about: About): string {
  const start = `-- npx ${argsOf(about).join(" ")}`;
  const inspector = "npx -y @modelcontextprotocol/inspector";
  const { tool, argument } = about.call;
  const commands = [
    `${inspector} ${start}   # opens a page in the browser`,
    `${inspector} --cli --method tools/list ${start}`,
    `${inspector} --cli --method tools/call --tool-name ${tool} --tool-arg ${quoted(argument)} ${start}`,
  ].join("\n");
  const note =
    "With `--cli` no user can answer a question: calls that ask are refused there. `npx -y @oarlock/client` asks on the terminal.";
  return details("MCP Inspector", `\`\`\`sh\n${commands}\n\`\`\`\n\n${note}`);
}

/** A word for a shell. */
const quoted = (word: string): string => (word.includes(" ") ? `'${word}'` : word);

/** The AI SDK and LangChain as examples of the two common forms: a transport for one server, and a table of servers by name. */
function libraryBlock(about: About): string {
  const server = `{ command: "npx", args: ${JSON.stringify(argsOf(about)).replaceAll(",", ", ")} }`;
  const code = `import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const server = ${server};
const forAiSdk = await (await createMCPClient({ transport: new Experimental_StdioMCPTransport(server) })).tools();
const forLangChain = await new MultiServerMCPClient({ ${about.name}: server }).getTools();`;
  const others = "Mastra, OpenAI Agents, mcp-use and LlamaIndex take the same `command` and `args`.";
  return details("Agent libraries", `\`\`\`ts\n${code}\n\`\`\`\n\n${others}`);
}

function links(about: About): string {
  const config = { command: "npx", args: argsOf(about) };
  const text = encodeURIComponent(JSON.stringify(config));
  const packed = encodeURIComponent(Buffer.from(JSON.stringify(config)).toString("base64"));
  const named = encodeURIComponent(JSON.stringify({ name: about.name, ...config }));
  const name = encodeURIComponent(about.name);
  return [
    `[Install in VS Code](https://insiders.vscode.dev/redirect/mcp/install?name=${name}&config=${text})`,
    `[in Visual Studio](https://aka.ms/vs/mcp-install?${named})`,
    `[in Cursor](https://cursor.com/en/install-mcp?name=${name}&config=${packed})`,
    `[in LM Studio](https://lmstudio.ai/install-mcp?name=${name}&config=${packed})`,
    `[in Kiro](https://kiro.dev/launch/mcp/add?name=${name}&config=${text})`,
  ].join(", ");
}
