// A commit message by the client's model: only where none is given and the client has one, and reply in the result.
import { McpError, type Json } from "@oarlock/server-kit/protocol";
import { runInBothEras, connectTo, modelSays, tempFolder, type ScriptedReply, type TempFolder } from "@oarlock/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeRepository, type TestRepository } from "./support/repository.ts";
import { targetOf } from "./support/target.ts";

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

/** A repository with a staged change, anew for each way. */
function stage(prepare: (repository: TestRepository) => void = () => undefined) {
  let count = 0;
  return async () => {
    const repository = makeRepository(folder.at(`project-${count++}`), { "a.txt": "a\n" });
    repository.write({ "a.txt": "the new words\n" });
    repository.git("add", "a.txt");
    prepare(repository);
    const { server } = await targetOf({ repositories: [repository.path] });
    return {
      server: server(),
      effects: () => repository.git("log", "-1", "--format=%B").trim(),
      masked: (answer: string) => answer.replaceAll(repository.git("rev-parse", "HEAD").trim(), "HEAD"),
    };
  };
}

const commit = (line: ScriptedReply, args: Json = {}, prepare?: (repository: TestRepository) => void) =>
  runInBothEras(stage(prepare), { call: "git_commit", args: { message: " ", ...args } }, { replies: [line] });

describe("git_commit without a message", () => {
  test.each([
    ["plain", "Change the words\n\nThey were old."],
    ["in a block of code", "```text\nChange the words\n\nThey were old.\n```"],
  ])("commits and reports the message of the client's model, %s", async (_how, reply) => {
    const { answer, requests, effects } = await commit(modelSays(reply));
    expect(answer).toMatchObject({
      result: {
        content: [{ text: expect.stringContaining("Change the words\n\nThey were old.") }],
        structuredContent: { message: "Change the words\n\nThey were old.", filesChanged: 1 },
      },
    });
    expect(effects).toBe("Change the words\n\nThey were old.");
    expect(requests).toMatchObject([{ method: "sampling/createMessage", params: { maxTokens: expect.any(Number) } }]);
    expect(JSON.stringify(requests)).toContain("+the new words");
  });

  test.each([
    ["nothing", modelSays(" ")],
    ["a NUL", modelSays("a\0b")],
    ["a novel", modelSays("word ".repeat(5000))],
    ["a picture", { ...modelSays(""), content: { type: "image", data: "AAAA", mimeType: "image/png" } }],
  ])("fails when the model returns %s", async (_what, line) => {
    const { answer, effects } = await commit(line);
    expect(answer).toMatchObject({ result: { isError: true, content: [{ text: expect.stringContaining("no usable commit message") }] } });
    expect(effects).not.toContain("word");
  });

  test("fails without sampling when nothing is staged", async () => {
    const { answer, requests } = await runInBothEras(
      stage((repository) => repository.git("reset", "--quiet", "--hard")),
      { call: "git_commit", args: { message: "" } },
      { replies: [] },
    );
    expect(answer).toMatchObject({ result: { isError: true, content: [{ text: expect.stringContaining("message is empty") }] } });
    expect(requests).toEqual([]);
  });

  test("refuses a client without sampling support, and asks no model for an amend", async () => {
    const { server } = await stage()();
    await using wired = await connectTo(server);
    expect(await wired.client.call("git_commit", { message: "" })).toMatchObject({ isError: true });
    await using other = await connectTo((await stage()()).server, { sample: () => modelSays("anything") });
    const amended = await other.client.call("git_commit", { message: "", amend: true });
    expect(JSON.stringify(amended)).not.toContain("anything");
  });

  test("fails when the user declines", async () => {
    const { server, effects } = await stage()();
    const refuse = (): never => {
      throw new McpError(-1, "User rejected sampling request");
    };
    await using wired = await connectTo(server, { sample: refuse });
    const before = effects();
    expect(await wired.client.call("git_commit", { message: "" })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("User rejected") }],
    });
    expect(effects()).toBe(before);
  });
});

test("uses a given message unchanged, without sampling", async () => {
  const { answer, requests, effects } = await runInBothEras(stage(), { call: "git_commit", args: { message: "mine" } }, { replies: [] });
  expect(answer).toMatchObject({ result: { structuredContent: { filesChanged: 1 } } });
  expect(requests).toEqual([]);
  expect(effects).toBe("mine");
});
