// The questions at a terminal, with streams in its place.
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { Arguments } from "../src/arguments.ts";
import { promptForMissing } from "../src/prompts.ts";
import { CommandError } from "../src/command-error.ts";

/** Answers each question, as it comes, with the next line; after the last line the input ends. */
async function talk(given: Arguments, lines: readonly string[]): Promise<{ arguments: Arguments; said: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const left = [...lines];
  let said = "";
  output.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    if (!said.endsWith("): ")) return;
    const line = left.shift();
    if (line === undefined) input.end();
    else input.write(`${line}\n`);
  });
  return { arguments: await promptForMissing(given, input, output), said };
}

test("name and parts are asked for, and an empty answer takes what is proposed", async () => {
  expect(await talk({}, ["", ""])).toEqual({
    arguments: { name: "my-server", parts: "tool,resource,prompt" },
    said: "Name of the server (my-server): Parts to begin with (tool,resource,prompt): ",
  });
  expect((await talk({}, ["tea", "tool prompt"])).arguments).toEqual({ name: "tea", parts: "tool prompt" });
});

test("what was given is not asked for", async () => {
  expect(await talk({ yes: true }, [])).toEqual({ arguments: { yes: true }, said: "" });
  expect((await talk({ name: "tea" }, ["tool"])).arguments).toEqual({ name: "tea", parts: "tool" });
  expect((await talk({ from: "git" }, ["tea"])).arguments).toEqual({ from: "git", name: "tea" });
  expect(await talk({ name: "tea", parts: "tool" }, [])).toEqual({ arguments: { name: "tea", parts: "tool" }, said: "" });
});

test("an answer that cannot be meant is asked for again", async () => {
  const { arguments: got, said } = await talk({}, ["My Tea", "tea", "tools", "tool"]);
  expect(got).toEqual({ name: "tea", parts: "tool" });
  expect(said).toContain('Invalid package name "My Tea"');
  expect(said).toContain('Invalid value of --parts: expected some of tool,resource,prompt, received "tools".');
});

test("the end of the input ends it", async () => {
  await expect(talk({}, ["tea"])).rejects.toThrow(new CommandError(2, "Nothing was written: the prompts were not answered."));
});
