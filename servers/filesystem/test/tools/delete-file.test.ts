// delete_file and copy_file: the question before a deletion, in both ways that the protocol has, and the refusal without elicitation.
import { rmSync } from "node:fs";
import {
  accept,
  runInBothEras,
  cancel,
  connectTo,
  decline,
  tempFolder,
  listTree,
  type ScriptedReply,
  type HandlerStage,
  type TempFolder,
  type Tree,
} from "@oarlock/testing";
import type { CallToolResult } from "@oarlock/server-kit/protocol";
import { afterAll, describe, expect, test } from "vitest";
import { createServer } from "../../src/server.ts";
import { everyRevisionOn, text } from "../support/served-folder.ts";
import { targetOf } from "../support/target.ts";

const folders: TempFolder[] = [];
afterAll(async () => {
  for (const folder of folders) await folder[Symbol.asyncDispose]();
});

const TREE: Tree = { a: "new", b: "old", d: { x: "1", sub: { y: "22" } } };
/** Everything in one place, so that both ways see the same paths. */
function staged(): { folder: TempFolder; stage: () => Promise<HandlerStage> } {
  const folder = tempFolder(TREE);
  folders.push(folder);
  const stage = async (): Promise<HandlerStage> => {
    for (const name of Object.keys(folder.tree())) rmSync(folder.at(name), { recursive: true, force: true });
    folder.write(TREE);
    const { server } = await createServer({ directories: [{ path: folder.path, readOnly: false }] });
    return { server, effects: () => Object.keys(listTree(folder.path)) };
  };
  return { folder, stage };
}

const NO: readonly (readonly [string, ScriptedReply])[] = [
  ["no", accept({ confirm: false })],
  ["a form sent off as it was", accept({})],
  ["decline", decline],
  ["cancel", cancel],
];
const ALL = ["a", "b", "d/", "d/sub/", "d/sub/y", "d/x"];
const replyText = ({ answer }: { answer: object }): string => text((answer as { result: CallToolResult }).result);
const confirm = { type: "boolean", default: false, description: expect.any(String) as string };

describe("in sessions and in rounds", () => {
  test("ELIC-08 asks one boolean with the count for a deletion, and continues when accepted", async () => {
    const { folder, stage } = staged();
    const compared = await runInBothEras(
      stage,
      { call: "delete_file", args: { path: folder.at("d"), recursive: true } },
      { replies: [accept({ confirm: true })] },
    );
    expect(compared).toMatchObject({
      effects: ["a", "b"],
      roundTrips: 1,
      requests: [
        {
          params: {
            message: `Delete ${folder.at("d")} and the 3 entries in it (3 B): sub, sub/y, x? It cannot be brought back.`,
            requestedSchema: { type: "object", properties: { confirm } },
          },
        },
      ],
    });
    expect(replyText(compared)).toBe(`Successfully deleted ${folder.at("d")} and the 3 entries in it (3 B)`);
  });

  test.each(NO)("ELIC-20 deletes nothing on %s", async (_answer, line) => {
    const { folder, stage } = staged();
    const compared = await runInBothEras(stage, { call: "delete_file", args: { path: folder.at("a") } }, { replies: [line] });
    expect(compared).toMatchObject({ effects: ALL, answer: { result: { isError: true } } });
    expect(replyText(compared)).toContain("did not agree");
  });

  test.each([
    ["a dry run", "delete_file", { path: "d", recursive: true, dryRun: true }, "Would delete 4 entries (3 B):"],
    ["a directory without recursive", "delete_file", { path: "d" }, "recursive: true"],
    ["what is not there", "delete_file", { path: "none" }, "No such file"],
    ["an allowed directory itself", "delete_file", { path: ".", recursive: true }, "Expected a path that ends in a name"],
    ["a copy to a free name", "copy_file", { source: "a", destination: "c", overwrite: true }, "Successfully copied a to c"],
    ["a copy onto a file", "copy_file", { source: "a", destination: "b", overwrite: true }, "Successfully copied a to b"],
  ])("asks nothing for %s", async (_what, call, args, words) => {
    const { stage } = staged();
    const compared = await runInBothEras(stage, { call, args });
    expect(compared.requests).toEqual([]);
    expect(replyText(compared)).toContain(words);
    expect(compared.effects).toEqual(expect.arrayContaining(ALL));
  });
});

everyRevisionOn(
  "ELIC-03 refuses a deletion without elicitation and names the switch that allows it",
  TREE,
  async ({ failure, at, tree }) => {
    const before = tree();
    expect(await failure("delete_file", { path: at("a") })).toContain("--allow-delete");
    expect(tree()).toEqual(before);
  },
);

everyRevisionOn("lists in delete_file what would be deleted, and copies trees by copy_file", TREE, async ({ says, at, call, tree }) => {
  const paths = [at("d"), at("d/sub"), at("d/sub/y"), at("d/x")];
  const received = { deleted: false, entries: 4, bytes: 3, paths, truncated: false };
  await says(
    "delete_file",
    { path: at("d"), recursive: true, dryRun: true },
    `Would delete 4 entries (3 B):\n${paths.join("\n")}`,
    received,
  );
  await says(
    "copy_file",
    { source: at("d"), destination: at("e"), recursive: true },
    `Successfully copied ${at("d")} to ${at("e")} (3 entries below it, 3 B)`,
    { replaced: false, entries: 4, bytes: 3 },
  );
  await call("copy_file", { source: at("a"), destination: at("e/a") });
  expect(Object.keys(tree())).toEqual([...ALL, "e/", "e/a", "e/sub/", "e/sub/y", "e/x"]);
});

test("deletes with --allow-delete without asking, and refuses a read-only directory", async () => {
  await using folder = tempFolder(TREE);
  await using wired = await connectTo(await targetOf({ directories: [folder.path], allowDelete: true }));
  await wired.client.call("delete_file", { path: folder.at("d"), recursive: true });
  expect(Object.keys(folder.tree())).toEqual(["a", "b"]);
  await using read = await connectTo(await targetOf({ directories: [`${folder.path}:ro`], allowDelete: true }));
  for (const [name, args] of [
    ["delete_file", { path: folder.at("a") }],
    ["copy_file", { source: folder.at("a"), destination: folder.at("c") }],
  ] as const)
    expect(text(await read.client.call(name, args))).toContain("served read-only");
});
