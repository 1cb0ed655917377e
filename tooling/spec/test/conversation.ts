// Requests that bring forth every kind of message that the kit has, and how a client answers what it is asked meanwhile.

type Json = Record<string, unknown>;

export const answers = {
  "elicitation/create": () => ({ action: "accept", content: { name: "Ada" } }),
  "sampling/createMessage": ({ systemPrompt }: Json) =>
    systemPrompt === "leave me" ? undefined : { role: "assistant", content: { type: "text", text: "hi" }, model: "m" },
  "roots/list": () => ({ roots: [{ uri: "file:///a" }] }),
};

const ask = (name: string, args: Json = {}, _meta?: Json): [string, Json] => [
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
  ask("touch", { uri: "sample://text" }),
  ["resources/unsubscribe", { uri: "sample://text" }],
  ["prompts/get", { name: "greet", arguments: { who: "Ada" } }],
  ["prompts/get", { name: "greet" }],
  ["prompts/get", { name: "media" }],
  ["prompts/get", { name: "fault" }],
  ["prompts/get", { name: "asks" }],
  complete({ type: "ref/prompt", name: "greet" }, "many"),
  complete({ type: "ref/resource", uri: "sample:///items/{id}" }, "id"),
  complete({ type: "ref/prompt", name: "nope" }, "x"),
  ask("echo", { message: "hello" }),
  ask("echo", { message: 7 }),
  ask("sum", { a: 1, b: 2 }),
  ask("media"),
  ask("mismatch"),
  ask("nope"),
  ...["error", "tool", "mcp"].map((what) => ask("throws", { what })),
  ask("progress", { total: 3 }, { progressToken: "p" }),
  ask("log", { data: { some: "data" } }),
  ask("log"),
  ask("ask"),
  ask("ask_url"),
  ask("sample"),
  ask("sample", {
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
  ask("roots"),
  ask("grow", { name: "more" }),
  ["initialize", {}],
];
