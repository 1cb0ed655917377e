// Pages of a history over two processes.
import { tempFolder } from "@oarlock/testing";
import { testSharedCursors } from "../../../packages/client/test/support/shared-cursors.ts";
import { makeRepository } from "./support/repository.ts";
import { argumentsOf, bin } from "./support/target.ts";

testSharedCursors(async () => {
  const folder = tempFolder();
  const repository = makeRepository(folder.at("project"));
  for (const name of ["a", "b", "c", "d"]) repository.commit(name, { [`${name}.txt`]: name });
  return {
    command: bin(argumentsOf({ repositories: [repository.path] })),
    tool: "git_log",
    args: { max_count: 2 },
    list: "commits",
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});
