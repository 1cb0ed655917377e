// Requests that produce every kind of message of the kit, and the answers of the client to requests of the server.

type Json = Record<string, unknown>;

export const answers = {
  "elicitation/create": () => ({ action: "accept", content: { name: "Ada" } }),
  "sampling/createMessage": ({ systemPrompt }: Json) =>
    systemPrompt === "leave me" ? undefined : { role: "assistant", content: { type: "text", text: "hi" }, model: "m" },
  "roots/list": () => ({ roots: [{ uri: "file:///a" }] }),
};

const callTool = (name: string, args: Json = {}, _meta?: Json): [string, Json] => [
  "tools/call",
  { name, arguments: args, ...(_meta && { _meta }) },
];
const complete = (ref: Json, name: string): [string, Json] => ["completion/complete", { ref, argument: { name, value: "" } }];

/** Requests that bring forth every kind of message that the kit has. */
export const CONVERSATION: [method: string, params?: Json][] = [
  ["ping"],
  ["nope"],
  ["tools/list"],
  ["tools/list", { cursor: "garbage" }],
  ["resources/list"],
  ["resources/templates/list"],
  ["prompts/list"],
  ["logging/setLevel", { level: "debug" }],
  ["logging/setLevel", { level: "loud" }],
  ...["text", "bytes", "folder", "fault", "gone", "nope"].map((name): [string, Json] => ["resources/read", { uri: `sample://${name}` }]),
  ["resources/read", { uri: "sample:///items/beta" }],
  ["resources/subscribe", { uri: "sample://text" }],
  ["resources/subscribe", { uri: "sample://bytes" }],
  callTool("touch", { uri: "sample://text" }),
  ["resources/unsubscribe", { uri: "sample://text" }],
  ["prompts/get", { name: "greet", arguments: { who: "Ada" } }],
  ["prompts/get", { name: "greet" }],
  ["prompts/get", { name: "media" }],
  ["prompts/get", { name: "fault" }],
  ["prompts/get", { name: "asks" }],
  complete({ type: "ref/prompt", name: "greet" }, "many"),
  complete({ type: "ref/resource", uri: "sample:///items/{id}" }, "id"),
  complete({ type: "ref/prompt", name: "nope" }, "x"),
  callTool("echo", { message: "hello" }),
  callTool("echo", { message: 7 }),
  callTool("sum", { a: 1, b: 2 }),
  callTool("media"),
  callTool("mismatch"),
  callTool("nope"),
  ...["error", "tool", "mcp"].map((what) => callTool("throws", { what })),
  callTool("progress", { total: 3 }, { progressToken: "p" }),
  callTool("log", { data: { some: "data" } }),
  callTool("log"),
  callTool("ask"),
  callTool("ask_url"),
  callTool("sample"),
  callTool("sample", {
    extra: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "audio", data: "AAAA", mimeType: "audio/wav" },
          ],
        },
      ],
    },
  }),
  callTool("roots"),
  callTool("grow", { name: "more" }),
  ["initialize", {}],
];
