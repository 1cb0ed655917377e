/** The tools of the suite's task scenarios. Their handlers know nothing of tasks. */
import { setTimeout as sleep } from "node:timers/promises";
import { taskMode } from "@oarlock/extensions/tasks";
import { McpError, tool, ToolError, type Answer } from "@oarlock/server-kit";
import { z } from "zod";

const confirmation = z.object({ name: z.string().optional(), confirm: z.boolean() });

const isConfirmed = (answer: Answer<{ confirm: boolean }>): boolean => answer.action === "accept" && answer.content.confirm;

export const tasks = [
  tool({
    name: "greet",
    description: "Greets at once.",
    input: z.object({ name: z.string() }),
    extensions: [taskMode("never")],
    run: ({ name }) => `Hello, ${name}!`,
  }),
  tool({
    name: "slow_compute",
    description: "Takes as many seconds as it is given.",
    input: z.object({ seconds: z.number().min(0), label: z.string().optional() }),
    extensions: [taskMode("always")],
    async run({ seconds, label = "computation" }, { signal }) {
      await sleep(seconds * 1000, undefined, { signal });
      return `The ${label} has ended.`;
    },
  }),
  tool({
    name: "failing_job",
    description: "Fails after a second, and only runs as a task.",
    extensions: [taskMode("required")],
    async run(_input, { signal }) {
      await sleep(1000, undefined, { signal });
      throw new ToolError("The job has failed.");
    },
  }),
  tool({
    name: "protocol_error_job",
    description: "Ends in a protocol error.",
    extensions: [taskMode("always")],
    async run(_input, { signal }) {
      await sleep(100, undefined, { signal });
      throw new McpError(-32_603, "The job broke the protocol.");
    },
  }),
  tool({
    name: "confirm_delete",
    description: "Asks before it deletes.",
    input: z.object({ filename: z.string() }),
    extensions: [taskMode("always")],
    async run({ filename }, { elicit }) {
      return isConfirmed(await elicit({ message: `Delete ${filename}?`, schema: confirmation }))
        ? `Deleted ${filename}.`
        : `Kept ${filename}.`;
    },
  }),
  tool({
    name: "multi_input",
    description: "Asks two questions at the same time.",
    extensions: [taskMode("always")],
    async run(_input, { elicit }) {
      const questions = ["First?", "Second?"].map((message) => elicit({ message, schema: confirmation }));
      const answers = await Promise.all(questions);
      return `${answers.filter(isConfirmed).length} of ${answers.length} confirmed.`;
    },
  }),
  tool({
    name: "test_tool_with_task",
    description: "Asks for a name, then works as a task.",
    extensions: [taskMode({ afterMs: 200, required: true })],
    async run(_input, { elicit, signal }) {
      const answer = await elicit({ key: "user_name", message: "What is your name?", schema: z.object({ name: z.string() }) });
      await sleep(1000, undefined, { signal });
      return `Done for ${answer.action === "accept" ? answer.content.name : "nobody"}.`;
    },
  }),
];
