// Prompts: one with arguments and completion, one that says a block of each kind, and a broken one.
import { assistant, fromJsonSchema, prompt, user, type PromptDefinition } from "@oarlock/server-kit";
import { BLOCKS } from "./tools.ts";

const TONES = ["dry", "formal", "friendly"];

export function samplePrompts(): PromptDefinition[] {
  return [greet, show, broken];
}

const greet = prompt({
  name: "greet",
  title: "Greeting",
  description: "Greets a person.",
  args: fromJsonSchema<{ who: string; tone?: string }>(
    {
      type: "object",
      properties: { who: { type: "string", title: "Whom", description: "A name" }, tone: { type: "string", title: "Tone of voice" } },
      required: ["who"],
    },
    ({ who }) => (typeof who === "string" ? undefined : "who: expected a string"),
  ),
  complete: { tone: (typed) => TONES.filter((tone) => tone.startsWith(typed)) },
  icons: [{ src: "data:image/png;base64,iVBORw0KGgo=", mimeType: "image/png", sizes: ["1x1"], theme: "dark" }],
  meta: { "sample.example/rank": 1 },
  get: ({ who, tone = "dry" }) => [user(`Greet ${who}.`), assistant(`In which tone?`), user(`A ${tone} one.`)],
});

const show = prompt({ name: "show", get: () => Object.values(BLOCKS).map((block) => user(block)) });

const broken = prompt({
  name: "broken",
  description: "Does not work.",
  get() {
    throw new Error("a detail that clients must not see");
  },
});
