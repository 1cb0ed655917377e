/** The same ten tools for every echo server: two that are called, and eight so that a list has a usual size. */
const text = (description) => ({ type: "string", description });

const filler = {
  description:
    "A tool that is listed but not called by the benchmark; its description has a usual length of about two lines of text, so that tools/list has a usual size.",
  inputSchema: {
    type: "object",
    properties: {
      path: text("A path relative to the root"),
      query: text("What to look for"),
      limit: { type: "integer", minimum: 1, maximum: 1000, description: "At most this many" },
      recursive: { type: "boolean", description: "Descend into folders" },
      tags: { type: "array", items: { type: "string" }, description: "Labels" },
    },
    required: ["path"],
  },
};

export const tools = [
  {
    name: "echo",
    description: "Sends the message back",
    inputSchema: { type: "object", properties: { message: text("Text to send back") }, required: ["message"] },
  },
  {
    name: "add",
    description: "Adds two numbers",
    inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  },
  ...Array.from({ length: 8 }, (_, at) => ({ name: `filler_${at + 1}`, ...filler })),
];
