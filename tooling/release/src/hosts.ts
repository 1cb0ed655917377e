/** How each host starts a server from npm: the blocks of a README, and links that install with one click. */
import { packageOf, type About } from "./about.ts";

interface Host {
  readonly name: string;
  readonly place: string;
  entry(key: string, command: string, args: readonly string[]): string;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const under =
  (key: string, more: object = {}): Host["entry"] =>
  (name, command, args) =>
    json({ [key]: { [name]: { ...more, command, args } } });
const toml: Host["entry"] = (name, command, args) =>
  `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((arg) => JSON.stringify(arg)).join(", ")}]`;

const HOSTS: readonly Host[] = [
  { name: "Claude Desktop", place: "claude_desktop_config.json (Settings, Developer, Edit Config)", entry: under("mcpServers") },
  { name: "Claude Code", place: ".mcp.json in the project folder", entry: under("mcpServers", { type: "stdio" }) },
  { name: "VS Code", place: ".vscode/mcp.json, or mcp.json of the user profile", entry: under("servers", { type: "stdio" }) },
  { name: "Cursor", place: ".cursor/mcp.json in the project or the home folder", entry: under("mcpServers") },
  { name: "Codex", place: ".codex/config.toml in the home folder", entry: toml },
  { name: "Gemini CLI", place: ".gemini/settings.json in the project or the home folder", entry: under("mcpServers") },
  { name: "Zed", place: "settings.json of Zed", entry: under("context_servers", { source: "custom" }) },
];

/** The words after the command, with the example of what it asks for. */
export const argsOf = (about: About): string[] => ["-y", packageOf(about), ...(about.things === undefined ? [] : [about.things.example])];

export function hostBlocks(about: About): string {
  const args = argsOf(about);
  const blocks = HOSTS.map(({ name, place, entry }) => {
    const text = entry(about.name, "npx", args);
    return `<details>\n<summary>${name}</summary>\n\nIn ${place}:\n\n\`\`\`${text.startsWith("[") ? "toml" : "json"}\n${text}\n\`\`\`\n\n</details>`;
  });
  return [links(about), ...blocks].join("\n\n");
}

function links(about: About): string {
  const config = { command: "npx", args: argsOf(about) };
  const text = encodeURIComponent(JSON.stringify(config));
  const packed = encodeURIComponent(Buffer.from(JSON.stringify(config)).toString("base64"));
  const name = encodeURIComponent(about.name);
  return [
    `[Install in VS Code](https://insiders.vscode.dev/redirect/mcp/install?name=${name}&config=${text})`,
    `[in Cursor](https://cursor.com/en/install-mcp?name=${name}&config=${packed})`,
    `[in LM Studio](https://lmstudio.ai/install-mcp?name=${name}&config=${packed})`,
  ].join(", ");
}
