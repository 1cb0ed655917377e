// Pages of a list over two processes.
import { tempFolder } from "@oarlock/testing";
import { testSharedCursors } from "../../../packages/client/test/support/shared-cursors.ts";
import { bin } from "./support/target.ts";

testSharedCursors(async () => {
  const folder = tempFolder(Object.fromEntries(["a", "b", "c", "d"].map((name) => [`${name}.txt`, name])));
  return {
    command: bin([folder.path]),
    tool: "list_directory",
    args: { path: folder.path, limit: 2 },
    list: "entries",
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});
