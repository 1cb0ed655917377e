// No reply is over its bound, whatever the repository holds, and a cut reply has a notice.
import { connectTo, tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLargeRepository, testReplySizes } from "../support/reply-sizes.ts";
import type { TestRepository } from "../support/repository.ts";
import { targetOf } from "../support/target.ts";

let folder: TempFolder;
let repository: TestRepository;

beforeAll(() => {
  folder = tempFolder();
  repository = makeLargeRepository(folder.at("project"), 1);
});

afterAll(() => folder[Symbol.asyncDispose]());

// Smaller limits: `reply-size.test.ts`.
describe("with the default limit", () => {
  testReplySizes(() => repository);
});

test("completes a long diff over its pages", async () => {
  await using wired = await connectTo(await targetOf({ repositories: [repository.path] }));
  let patches = "";
  let cursor: unknown;
  for (let page = 0; page < 100; page++) {
    const { structuredContent } = await wired.client.call("git_diff_unstaged", {
      paths: ["wide.txt"],
      max_bytes: 400_000,
      ...(cursor !== undefined && { cursor }),
    });
    const { files, nextCursor } = structuredContent as { files: { patch?: string }[]; nextCursor?: string };
    patches += files.map(({ patch = "" }) => patch).join("");
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  expect(patches).toBe(repository.raw(["diff", "wide.txt"]).toString());
});
