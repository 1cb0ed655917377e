// A search in many files as a task.
import { tempFolder } from "@oarlock/testing";
import { expect } from "vitest";
import { testTasks, type TaskWorld } from "../../../packages/client/test/support/server-tasks.ts";
import { bin } from "./support/target.ts";

const FILES = 2000;

async function open(): Promise<TaskWorld> {
  const names = Array.from({ length: FILES }, (_value, at) => `part-${at % 20}/file-${at}.txt`);
  const folder = tempFolder(Object.fromEntries(names.map((name) => [name, `first\nan oar in ${name}\nlast\n`])));
  const before = folder.hash();
  return {
    command: bin([folder.path]),
    tool: "search_file_contents",
    args: { path: folder.path, pattern: "o[a]r in part-1/" },
    folder: folder.path,
    checkData: () => expect(folder.hash()).toBe(before),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

testTasks("a search in 2,000 files", open);
