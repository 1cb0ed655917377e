// Tools that ask the person, the model or the client's folders, and reply with the answer.
import { fromJsonSchema, tool, type Answer, type SampleRequest, type ToolDefinition } from "@oarlock/server-kit";

export function questionTools(): ToolDefinition[] {
  return [askPerson, askChoices, askPage, askModel, askRoots];
}

const describeAnswer = (answer: Answer<unknown>): string =>
  answer.action === "accept" && answer.content !== undefined ? `accept ${JSON.stringify(answer.content)}` : answer.action;

/** Every kind of field, with whatever it may have. */
const BOOKING = fromJsonSchema<Record<string, unknown>>(
  {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", description: "As on your passport", minLength: 1, maxLength: 40, default: "Ada" },
      email: { type: "string", format: "email" },
      arrival: { type: "string", format: "date" },
      nights: { type: "integer", minimum: 1, maximum: 30, default: 1 },
      dog: { type: "boolean", title: "With a dog?", default: false },
      room: {
        type: "string",
        title: "Room",
        oneOf: [
          { const: "sea", title: "With a view of the sea" },
          { const: "yard", title: "To the yard" },
        ],
        default: "yard",
      },
    },
    required: ["name", "room"],
  },
  ({ nights }) => (nights === undefined || (typeof nights === "number" && nights <= 30) ? undefined : "nights: at most 30"),
);

const askPerson = tool({
  name: "ask_person",
  description: "Asks the user to fill in a form.",
  run: async (_input, ctx) => describeAnswer(await ctx.elicit({ message: "Book a room", schema: BOOKING })),
});

const EXTRAS = fromJsonSchema<Record<string, unknown>>(
  {
    type: "object",
    properties: {
      meals: {
        type: "array",
        title: "Meals",
        items: { type: "string", enum: ["breakfast", "dinner"] },
        minItems: 1,
        maxItems: 2,
        default: ["breakfast"],
      },
      trips: {
        type: "array",
        items: {
          anyOf: [
            { const: "boat", title: "By boat" },
            { const: "bus", title: "By bus" },
          ],
        },
      },
    },
  },
  () => undefined,
);

const askChoices = tool({
  name: "ask_choices",
  description: "Asks the user to choose several things at once.",
  run: async (_input, ctx) => describeAnswer(await ctx.elicit({ message: "What else?", schema: EXTRAS })),
});

const askPage = tool({
  name: "ask_page",
  description: "Asks the user to open a page.",
  run: async (_input, ctx) => describeAnswer(await ctx.elicitUrl({ message: "Pay the deposit", url: "https://sample.example/pay" })),
});

const NOTE = { "sample.example/line": 1 };

/** Requests to the model, by what is special about them. */
const REQUESTS: Readonly<Record<string, SampleRequest>> = {
  plain: { messages: [{ role: "user", content: { type: "text", text: "Name a colour." } }], maxTokens: 10 },
  full: {
    messages: [{ role: "user", content: { type: "text", text: "Name a colour." } }],
    maxTokens: 10,
    modelPreferences: { hints: [{ name: "small" }], costPriority: 1, speedPriority: 0.5, intelligencePriority: 0 },
    systemPrompt: "Be brief.",
    includeContext: "thisServer",
    temperature: 0.2,
    stopSequences: ["."],
    metadata: { trace: "abc" },
  },
  blocks: {
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?", annotations: { priority: 1, lastModified: "2025-01-12T15:00:58Z" }, _meta: NOTE },
          { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
        ],
        _meta: NOTE,
      },
      { role: "assistant", content: { type: "text", text: "A pixel." } },
      { role: "user", content: { type: "audio", data: "UklGRg==", mimeType: "audio/wav" } },
    ],
    maxTokens: 10,
  },
  tools: {
    messages: [
      { role: "user", content: { type: "text", text: "Is anyone in?" } },
      { role: "assistant", content: { type: "tool_use", id: "use-1", name: "look", input: { at: "sign" } } },
      { role: "user", content: { type: "tool_result", toolUseId: "use-1", content: [{ type: "text", text: "shut" }] } },
    ],
    maxTokens: 10,
    tools: [{ name: "look", description: "Looks at something.", inputSchema: { type: "object", properties: { at: { type: "string" } } } }],
    toolChoice: { mode: "auto" },
  },
};

const askModel = tool({
  name: "ask_model",
  description: "Asks the client's model.",
  input: fromJsonSchema<{ what: string }>(
    { type: "object", properties: { what: { type: "string", enum: Object.keys(REQUESTS) } } },
    ({ what }) => (typeof what === "string" && Object.hasOwn(REQUESTS, what) ? undefined : "what: no such request"),
  ),
  async run({ what }, ctx) {
    const { role, content, model } = await ctx.sample(REQUESTS[what]!);
    return `${model} (${role}): ${JSON.stringify(content)}`;
  },
});

const askRoots = tool({
  name: "ask_roots",
  description: "Asks for the client's folders.",
  run: async (_input, ctx) => (await ctx.roots()).map(({ uri, name }) => `${name ?? "-"} ${uri}`).join("\n"),
});
