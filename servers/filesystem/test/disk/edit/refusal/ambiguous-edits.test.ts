// A refused call of several edits names each of them that is not unique, so that one more call is enough.
import { expect, test } from "vitest";
import { applyEdits, type Edit } from "../../../../src/disk/edit/replacements.ts";

const FILE = "a();\n  end();\nb();\n  end();\nc();\n  stop();\nd();\n  stop();\n";
const edit = (oldText: string, newText: string, rest: Partial<Edit> = {}): Edit => ({ oldText, newText, ...rest });

const refusalOf = async (edits: Edit[], text = FILE): Promise<string[]> => {
  const { message } = await applyEdits(text, edits, true).then(
    () => new Error("applied"),
    (error: Error) => error,
  );
  return message.split("\n");
};

test.each(["\n", "\r\n"])("names the other edits that are not unique, by lines of the file, with %j", async (end) => {
  const edits = [edit("  end();\n", ""), edit("b();\n", "b();\nb2();\nb3();\n"), edit("  stop();\n", "")];
  expect(await refusalOf(edits, FILE.replaceAll("\n", end))).toEqual([
    "oldText of edit 1 of 3 is not unique: it occurs 2 times, at lines 2, 4. Add lines around it, or set replaceAll or expectedCount.",
    "Not unique either: edit 3, at lines 6, 8.",
  ]);
});

test("names them behind an edit that is refused for another reason", async () => {
  const reply = await refusalOf([edit("a();\n", "a1();\na2();\n"), edit("bb();", "x"), edit("  stop();\n", "")]);
  expect(reply[0]).toBe("Could not find exact match for edit 2 of 3.");
  expect(reply.at(-1)).toBe("Not unique either: edit 3, at lines 6, 8.");
});

test.each([
  ["that replaces several places", edit("  stop();\n", "", { expectedCount: 3 })],
  ["that is not found", edit("  halt();\n", "")],
  ["that is unique", edit("c();\n  stop();\n", "")],
])("leaves out an edit %s", async (_, later) => {
  expect(await refusalOf([edit("  end();\n", ""), later])).toHaveLength(1);
});

test("lists five edits with five lines each at most", async () => {
  const reply = await refusalOf(
    Array.from({ length: 9 }, (_, index) => edit("x\n", `${index}\n`)),
    "x\n".repeat(30),
  );
  expect(reply[1]).toBe(
    `Not unique either: ${[2, 3, 4, 5, 6].map((number) => `edit ${number}, at lines 1, 2, 3, 4, 5 and more`).join("; ")}; and 3 more edits.`,
  );
});
