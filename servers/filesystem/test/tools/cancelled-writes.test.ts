// A call that is cancelled while it waits for another writer changes nothing.
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { openDisk } from "../../src/disk/disk.ts";
import { withLock } from "../../src/disk/write/name-lock.ts";
import { targetOf } from "../support/target.ts";

const ACTS: readonly { readonly tool: string; readonly mode?: string; readonly argsFor: (name: string) => object }[] = [
  { tool: "write_file", mode: "overwrite", argsFor: (path) => ({ path, content: "new" }) },
  { tool: "write_file", mode: "append", argsFor: (path) => ({ path, content: "new", mode: "append" }) },
  { tool: "edit_file", argsFor: (path) => ({ path, edits: [{ oldText: "old", newText: "new" }] }) },
  { tool: "copy_file", argsFor: (destination) => ({ source: "other", destination, overwrite: true }) },
  { tool: "move_file", argsFor: (destination) => ({ source: `${destination}.source`, destination, overwrite: true }) },
  { tool: "delete_file", argsFor: (path) => ({ path }) },
  { tool: "undo_change", argsFor: (path) => ({ path }) },
];

test.each(ACTS)("changes nothing after a cancelled wait for the lock: $tool $mode", async ({ tool, argsFor }) => {
  await using folder = tempFolder({
    root: { f: "older", first: "older", "f.source": "source", "first.source": "source", other: "other" },
    state: {},
  });
  const setup = { directories: [folder.at("root")], stateHome: folder.at("state"), allowDelete: true };
  await using wired = await connectTo(await targetOf(setup), {});
  const { client } = wired;
  for (const path of ["first", "f"]) await client.call("write_file", { path, content: "old" });
  // Loads what the tool uses, so that the next call waits for the lock soon.
  await client.call(tool, argsFor("first") as never);
  const before = folder.tree();
  const sandbox = (await openDisk({ directories: [{ path: folder.at("root"), readOnly: false }] })).sandbox();
  using entry = sandbox.entry("f");
  const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = withLock(entry, () => (isHeld.resolve(), mayEnd.promise));
  await isHeld.promise;
  const cancel = new AbortController();
  const outcome = client.call(tool, argsFor("f") as never, { signal: cancel.signal }).then(
    () => "finished",
    () => "cancelled",
  );
  // Answered after the call has begun to wait, and after it was cancelled.
  await client.call("directory_tree", { path: "." });
  cancel.abort(new Error("enough"));
  expect(await outcome).toBe("cancelled");
  await client.call("directory_tree", { path: "." });
  mayEnd.resolve();
  await holding;
  // Writers take turns: this one comes after the call, if that still waits.
  await withLock(entry, async () => undefined);
  expect(folder.tree()).toEqual(before);
});
