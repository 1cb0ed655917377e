// The five examples of the playground: files of the server kit, each with requests that show what it does.
/* oxlint-disable import/default -- The query ?raw makes the text of a file its default export. */
import elicitation from "../../../../../packages/server-kit/examples/elicitation.ts?raw";
import progress from "../../../../../packages/server-kit/examples/progress-cancellation.ts?raw";
import completion from "../../../../../packages/server-kit/examples/prompt-completion.ts?raw";
import resources from "../../../../../packages/server-kit/examples/resource-template.ts?raw";
import structuredOutput from "../../../../../packages/server-kit/examples/structured-output.ts?raw";
import type { UserRequest } from "../../../src/playground/messages.ts";
import { toPageSource } from "../../../src/playground/page-source.ts";

export interface Example {
  readonly title: string;
  readonly source: string;
  /** At most one for each method. The first is sent when the server starts. */
  readonly requests: readonly [UserRequest, ...UserRequest[]];
}

const request = (method: UserRequest["method"], target: string, args: object = {}): UserRequest => ({
  method,
  target,
  arguments: JSON.stringify(args, null, 2),
});

const example = (title: string, file: string, ...requests: Example["requests"]): Example => ({
  title,
  source: toPageSource(file),
  requests,
});

export const EXAMPLES: readonly [Example, ...Example[]] = [
  example("A tool with structured output", structuredOutput, request("tools/call", "divide", { a: 6, b: 4 })),
  example(
    "Resources and a template",
    resources,
    request("resources/read", "note:///ideas"),
    request("completion/complete", "note:///{name}", { name: "s" }),
  ),
  example(
    "A prompt with completion",
    completion,
    request("prompts/get", "review", { text: "Oars are long.", focus: "style" }),
    request("completion/complete", "review", { focus: "s" }),
  ),
  example("A tool that asks the user", elicitation, request("tools/call", "delete_note", { name: "ideas" })),
  example("Progress of a long call", progress, request("tools/call", "countdown", { from: 5 })),
];
