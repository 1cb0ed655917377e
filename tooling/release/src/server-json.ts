/** The registry's description of a server. https://github.com/modelcontextprotocol/registry, schema of 2025-12-11 */
import { packageOf, registryNameOf, REPOSITORY, type About } from "./about.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

export function serverJson(about: About, version: string): object {
  const { things } = about;
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
        ...(things !== undefined && {
          packageArguments: [
            {
              type: "positional",
              valueHint: things.key,
              description: things.help,
              format: "filepath",
              isRequired: true,
              isRepeated: things.many,
            },
          ],
        }),
        environmentVariables: [
          {
            name: "OARLOCK_READ_ONLY",
            description: "1 leaves out every tool that changes anything",
            format: "boolean",
            default: "false",
          },
        ],
      },
    ],
  };
}
