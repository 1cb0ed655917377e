// Prompts at a terminal, with streams as the terminal.
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { Arguments } from "../src/arguments.ts";
import { promptForMissing } from "../src/prompts.ts";
import { CommandError } from "../src/command-error.ts";

/** Answers each prompt with the next line; after the last line the input ends. */
async function answer(given: Arguments, lines: readonly string[]): Promise<{ arguments: Arguments; output: string }> {
  const input = new PassThrough();
  const terminal = new PassThrough();
  const left = [...lines];
  let output = "";
  terminal.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (!output.endsWith("): ")) return;
    const line = left.shift();
    if (line === undefined) input.end();
    else input.write(`${line}\n`);
  });
  return { arguments: await promptForMissing(given, input, terminal), output };
}

test("prompts for name and parts, and takes the default for an empty answer", async () => {
  expect(await answer({}, ["", ""])).toEqual({
    arguments: { name: "my-server", parts: "tool,resource,prompt" },
    output: "Name of the server (my-server): Parts to begin with (tool,resource,prompt): ",
  });
  expect((await answer({}, ["tea", "tool prompt"])).arguments).toEqual({ name: "tea", parts: "tool prompt" });
});

test("skips prompts for given arguments", async () => {
  expect(await answer({ yes: true }, [])).toEqual({ arguments: { yes: true }, output: "" });
  expect((await answer({ name: "tea" }, ["tool"])).arguments).toEqual({ name: "tea", parts: "tool" });
  expect((await answer({ from: "git" }, ["tea"])).arguments).toEqual({ from: "git", name: "tea" });
  expect(await answer({ name: "tea", parts: "tool" }, [])).toEqual({ arguments: { name: "tea", parts: "tool" }, output: "" });
});

test("repeats a prompt after an invalid answer", async () => {
  const { arguments: got, output } = await answer({}, ["My Tea", "tea", "tools", "tool"]);
  expect(got).toEqual({ name: "tea", parts: "tool" });
  expect(output).toContain('Invalid package name "My Tea"');
  expect(output).toContain('Invalid value of --parts: expected some of tool,resource,prompt, received "tools".');
});

test("fails at the end of the input", async () => {
  await expect(answer({}, ["tea"])).rejects.toThrow(new CommandError(2, "Nothing was written: the prompts were not answered."));
});
