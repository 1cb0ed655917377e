/** The registry's description of a server. https://github.com/modelcontextprotocol/registry, schema of 2025-12-11 */
import { isList, type Switch } from "../../../packages/cli/src/flags.ts";
import { packageOf, registryNameOf, REPOSITORY, type About } from "./about.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

export function serverJson(about: About, version: string, switches: readonly Switch[]): object {
  const { positionals } = about;
  return {
    $schema: SCHEMA,
    name: registryNameOf(about),
    title: about.title,
    description: about.summary,
    version,
    repository: { url: REPOSITORY, source: "github", subfolder: `servers/${about.name}` },
    packages: [
      {
        registryType: "npm",
        identifier: packageOf(about),
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        ...(positionals !== undefined && {
          packageArguments: [
            {
              type: "positional",
              valueHint: positionals.key,
              description: positionals.help,
              format: "filepath",
              isRequired: true,
              isRepeated: positionals.many,
            },
          ],
        }),
        environmentVariables: switches.map(variable),
      },
    ],
  };
}

const FORMATS: Readonly<Record<string, string>> = { boolean: "boolean", count: "number", port: "number", path: "filepath" };

function variable({ env, flag }: Switch): object {
  const preset = flag.type === "boolean" ? false : "default" in flag ? flag.default : undefined;
  return {
    name: env,
    description: flag.help + (isList(flag) ? "; several with commas" : ""),
    format: FORMATS[flag.type] ?? "string",
    ...(preset !== undefined && { default: String(preset) }),
    ...(flag.type === "choice" && { choices: flag.choices }),
  };
}
