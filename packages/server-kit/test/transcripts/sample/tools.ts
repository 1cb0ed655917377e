// Tools without client requests: results of every kind, failures, log, progress, and one that waits.
import { fromJsonSchema, McpError, tool, ToolError, type Block, type ToolDefinition } from "@oarlock/server-kit";
import type { Sign } from "./sign.ts";

const PIXEL = "iVBORw0KGgo=";

/** One block of each type, each with everything that the newest revision lets it have. */
export const BLOCKS: Readonly<Record<string, Block>> = {
  text: {
    type: "text",
    text: "The sign is shut.",
    annotations: { audience: ["user"], priority: 0.5, lastModified: "2025-01-12T15:00:58Z" },
    _meta: { "sample.example/line": 1 },
  },
  image: {
    type: "image",
    data: PIXEL,
    mimeType: "image/png",
    annotations: { audience: ["user", "assistant"] },
    _meta: { "sample.example/line": 2 },
  },
  audio: { type: "audio", data: "UklGRg==", mimeType: "audio/wav", annotations: { priority: 1, lastModified: "2025-01-12T15:00:58Z" } },
  link: {
    type: "resource_link",
    uri: "sample://sign",
    name: "sign",
    title: "The sign",
    description: "Whether anyone is in.",
    mimeType: "text/plain",
    size: 4,
    annotations: { priority: 0 },
    icons: [{ src: "https://sample.example/sign.svg", mimeType: "image/svg+xml", sizes: ["any"] }],
    _meta: { "sample.example/line": 4 },
  },
  embedded: {
    type: "resource",
    resource: { uri: "sample://sign", mimeType: "text/plain", text: "shut", _meta: { "sample.example/side": "front" } },
    annotations: { audience: ["assistant"], lastModified: "2025-01-12T15:00:58Z" },
    _meta: { "sample.example/line": 5 },
  },
  bytes: { type: "resource", resource: { uri: "sample://photo", mimeType: "image/png", blob: PIXEL } },
};

export function sampleTools(sign: Sign): ToolDefinition[] {
  return [weather, readings, echo, blocks, fail, log, count, wait(sign), turn(sign)];
}

const weather = tool({
  name: "weather",
  title: "Weather report",
  description: "The weather of a place.",
  input: fromJsonSchema<{ place: string }>(
    { type: "object", properties: { place: { type: "string", description: "Name of a place" } }, required: ["place"] },
    ({ place }) => (typeof place === "string" ? undefined : "place: expected a string"),
  ),
  output: fromJsonSchema<{ sky: string; degrees: number }>(
    { type: "object", properties: { sky: { type: "string" }, degrees: { type: "number" } }, required: ["sky", "degrees"] },
    ({ degrees }) => (typeof degrees === "number" ? undefined : "degrees: expected a number"),
  ),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  icons: [{ src: "https://sample.example/sun.png", mimeType: "image/png", sizes: ["48x48", "96x96"], theme: "light" }],
  meta: { "sample.example/rank": 1 },
  // For Atlantis the tool returns a wrong value on purpose, which the types would not allow.
  run: ({ place }) => ({ sky: "clear", degrees: place === "Atlantis" ? ("unknown" as unknown as number) : 21.5 }),
});

const readings = tool({
  name: "readings",
  description: "What the thermometer measured.",
  input: fromJsonSchema<{ last?: number }>(
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { last: { $ref: "#/$defs/count" } },
      $defs: { count: { type: "integer", minimum: 1 } },
    },
    () => undefined,
  ),
  output: fromJsonSchema<number[]>({ type: "array", items: { type: "number" } }, (value) =>
    Array.isArray(value) ? undefined : "expected a list",
  ),
  strictHosts: false,
  run: () => [20, 21.5],
});

const echo = tool({
  name: "echo",
  description: "Says it again.",
  input: fromJsonSchema<{ message: string }>(
    { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
    ({ message }) => (typeof message === "string" ? undefined : "message: expected a string"),
  ),
  run: ({ message }) => message,
});

const blocks = tool({
  name: "blocks",
  description: "Gives a block of each kind that is named.",
  input: fromJsonSchema<{ kinds: string[] }>(
    { type: "object", properties: { kinds: { type: "array", items: { type: "string", enum: Object.keys(BLOCKS) } } }, required: ["kinds"] },
    ({ kinds }) => (Array.isArray(kinds) ? undefined : "kinds: expected a list"),
  ),
  run: ({ kinds }) => kinds.flatMap((kind) => BLOCKS[kind] ?? []),
});

const fail = tool({
  name: "fail",
  description: "Fails.",
  input: fromJsonSchema<{ how: string }>({ type: "object", properties: { how: { type: "string" } } }, () => undefined),
  run({ how }): string {
    if (how === "told") throw new ToolError("The door is locked. Ask for the key.");
    if (how === "protocol") throw new McpError(4711, "Closed for the winter", { opens: "May" });
    throw new Error("a detail that clients must not see");
  },
});

const log = tool({
  name: "log",
  description: "Logs one entry at each level.",
  run(_input, { log: say }) {
    say.debug("looking");
    say.info({ found: 2 });
    say.notice(["a", "b"]);
    say.warning("nearly full");
    say.error(null);
    return "logged";
  },
});

const count = tool({
  name: "count",
  description: "Reports each step as progress.",
  input: fromJsonSchema<{ steps: number[]; total?: number }>(
    { type: "object", properties: { steps: { type: "array", items: { type: "number" } }, total: { type: "number" } }, required: ["steps"] },
    ({ steps }) => (Array.isArray(steps) ? undefined : "steps: expected a list"),
  ),
  run({ steps, total }, { progress }) {
    for (const step of steps) progress(step, total, `at ${step}`);
    return "counted";
  },
});

const wait = (sign: Sign): ToolDefinition =>
  tool({
    name: "wait",
    description: "Waits until the sign is turned.",
    run: (_input, { signal }) =>
      new Promise<string>((resolve, reject) => {
        const stop = sign.watch(() => {
          stop();
          resolve("waited");
        });
        signal.addEventListener("abort", () => {
          stop();
          reject(signal.reason as Error); // the kit aborts with errors only
        });
      }),
  });

const turn = (sign: Sign): ToolDefinition =>
  tool({
    name: "turn",
    title: "Turn the sign",
    description: "Turns the sign at the door.",
    input: fromJsonSchema<{ times?: number }>(
      { type: "object", properties: { times: { type: "integer", minimum: 1, maximum: 9 } } },
      ({ times = 1 }) => (typeof times === "number" && times <= 9 ? undefined : "times: expected a number up to 9"),
    ),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    run({ times = 1 }) {
      for (let turned = 0; turned < times; turned++) sign.turn();
      return `The sign says ${sign.text}.`;
    },
  });
