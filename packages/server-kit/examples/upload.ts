// Uploads: a tool takes a file in base64, within a bound, and serves it as a resource.
import { defineServer, link, template, tool, ToolError } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";
import * as z from "zod";

const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 20;

interface File {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}
const files = new Map<string, File>();

const upload = tool({
  name: "upload_file",
  description: `Store a file of at most ${MAX_BYTES} bytes.`,
  input: z.object({
    name: z.string().regex(/^[\w.-]{1,100}$/),
    mimeType: z.string().default("application/octet-stream"),
    data: z.base64().describe("The bytes in base64"),
  }),
  run({ name, mimeType, data }) {
    const bytes = Buffer.from(data, "base64");
    if (bytes.length > MAX_BYTES) throw new ToolError(`Too large: ${bytes.length} bytes, expected at most ${MAX_BYTES}.`);
    if (files.size >= MAX_FILES && !files.has(name)) throw new ToolError(`Full: ${MAX_FILES} files are stored.`);
    files.set(name, { bytes, mimeType });
    return [link({ uri: `upload:///${name}`, name, mimeType, size: bytes.length })];
  },
});

const stored = template({
  uri: "upload:///{name}",
  name: "upload",
  list: () => [...files].map(([name, { bytes, mimeType }]) => ({ uri: `upload:///${name}`, name, mimeType, size: bytes.length })),
  read({ name }) {
    const file = files.get(name);
    return file && { blob: file.bytes, mimeType: file.mimeType };
  },
});

/** Base64 makes bytes longer by a third. */
export const server = defineServer({
  name: "uploads",
  version: "1.0.0",
  tools: [upload],
  resources: [stored],
  limits: { messageBytes: 2 * MAX_BYTES },
});

if (process.argv[1] === import.meta.filename) await serveStdio(server).ended;
