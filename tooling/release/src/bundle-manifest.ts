/** The manifest of an `.mcpb` bundle, format 0.3. https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md */
import { commandOf, REPOSITORY, type About } from "./about.ts";

export interface BundleFacts {
  readonly version: string;
  readonly engines: string;
  /** Where bundles run; left out: everywhere. */
  readonly platforms?: readonly string[];
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

/** `entry` is the path of the command's file inside the bundle. */
export function bundleManifest(about: About, entry: string, { version, engines, platforms, tools }: BundleFacts): object {
  const { things } = about;
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
        args: [`\${__dirname}/${entry}`, ...(things === undefined ? [] : [`\${user_config.${things.key}}`])],
        env: {},
      },
    },
    tools,
    prompts_generated: true,
    compatibility: { runtimes: { node: engines }, ...(platforms !== undefined && { platforms }) },
    ...(things !== undefined && {
      user_config: {
        [things.key]: { type: things.type, title: things.title, description: things.help, required: true, multiple: things.many },
      },
    }),
  };
}
