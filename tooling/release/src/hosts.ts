/** How each host starts a server from npm: the blocks of a README, in the forms of `--print-config`, and links that install with one click. */
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

/** The words after the command, with the example of what it asks for. */
export const argsOf = (about: About): string[] => [
  "-y",
  packageOf(about),
  ...(about.positionals === undefined ? [] : [about.positionals.example]),
];

export function hostBlocks(about: About): string {
  const command = { command: "npx", args: argsOf(about) };
  const blocks = Object.entries(HOSTS).map(([host, title]) => {
    const { entry, place } = configFor(host as Host, about.name, command); // a key of it
    const language = host === "codex" ? "toml" : "json";
    return `<details>\n<summary>${title}</summary>\n\nIn ${place}:\n\n\`\`\`${language}\n${entry}\`\`\`\n\n</details>`;
  });
  return [links(about), ...blocks, WINDOWS].join("\n\n");
}

const WINDOWS = 'On Windows, where a host finds no `npx`: `"command": "cmd"`, and `"/c", "npx"` in front of the arguments.';

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
