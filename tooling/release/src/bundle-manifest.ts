/** The manifest of an `.mcpb` bundle, format 0.3. https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md */
import type { Switch } from "../../../packages/cli/src/flags.ts";
import { commandOf, REPOSITORY, type About } from "./about.ts";

export interface BundleFacts {
  readonly version: string;
  readonly engines: string;
  /** Where bundles run; left out: everywhere. */
  readonly platforms?: readonly string[];
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  /** Those that are on or off become boxes to tick. */
  readonly switches: readonly Switch[];
}

/** `entry` is the path of the command's file inside the bundle. */
export function bundleManifest(about: About, entry: string, { version, engines, platforms, tools, switches }: BundleFacts): object {
  const { positionals } = about;
  const boxes = switches.filter(({ flag }) => flag.type === "boolean");
  return {
    manifest_version: "0.3",
    name: commandOf(about),
    display_name: about.title,
    version,
    description: about.summary,
    author: { name: "Oarlock" },
    repository: { type: "git", url: REPOSITORY },
    license: "MIT",
    keywords: about.keywords,
    server: {
      type: "node",
      entry_point: entry,
      mcp_config: {
        command: "node",
        args: [`\${__dirname}/${entry}`, ...(positionals === undefined ? [] : [`\${user_config.${positionals.key}}`])],
        env: Object.fromEntries(boxes.map(({ key, env }) => [env, `\${user_config.${key}}`])),
      },
    },
    tools,
    prompts_generated: true,
    compatibility: { runtimes: { node: engines }, ...(platforms !== undefined && { platforms }) },
    user_config: {
      ...(positionals !== undefined && {
        [positionals.key]: {
          type: positionals.type,
          title: positionals.title,
          description: positionals.help,
          required: true,
          multiple: positionals.many,
        },
      }),
      ...Object.fromEntries(boxes.map((box) => [box.key, tickBox(box)])),
    },
  };
}

function tickBox({ name, flag: { help } }: Switch): object {
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
  return { type: "boolean", title, description: help, required: false, default: false };
}
