// create_directory: creates a directory and all missing ones above it.
import { escapeControls } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import type { Dependencies } from "../../dependencies.ts";
import { folder, object, result, z } from "../../schema.ts";

export const createDirectory = ({ sandboxes }: Dependencies) =>
  tool({
    name: "create_directory",
    title: "Create directory",
    description: "Create a directory and those missing above it.",
    input: () => object({ path: folder }),
    output: () => result({ content: z.string(), created: z.boolean() }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    async run({ path }, ctx) {
      const { makeFolder } = await import("../../disk/write/directory-maker.ts");
      const { created } = await makeFolder(await sandboxes.of(ctx), path);
      const content = `${created ? "Successfully created directory" : "Directory already exists:"} ${escapeControls(path)}`;
      return { content, structured: { content, created } };
    },
  });
