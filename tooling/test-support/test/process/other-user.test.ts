import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { otherUser, type OtherUser } from "../../src/process/other-user.ts";

const isRoot = process.getuid?.() === 0;
const PACKAGE = { "package.json": '{"name":"a","dependencies":{"b":"1"}}', "a.js": "", node_modules: { b: { "package.json": "{}" } } };

describe.runIf(isRoot)("for root", () => {
  const folder: TempFolder = tempFolder(PACKAGE);
  afterAll(() => folder[Symbol.asyncDispose]());
  const url = pathToFileURL(`${folder.path}/`);
  const copyIn = (user: OtherUser): string => user.command({ command: "node", args: [folder.at("a.js")] }).args![2]!;
  const copied: string[] = [];
  let shared: OtherUser;

  describe("a file", () => {
    shared = otherUser(url, 54_321);
    const other = otherUser(url, 54_322);

    test("runs commands from a copy of the package and its dependencies", () => {
      const { args = [], ...rest } = shared.command({ command: "node", args: [folder.at("a.js"), "x"], cwd: "/" });
      expect(rest).toEqual({ command: "node", cwd: "/" });
      expect(args).toEqual(["--import", expect.stringContaining("process.setuid(54321)"), expect.stringMatching(/\/0-[^/]+\/a\.js$/), "x"]);
      const copy = args[2]!;
      copied.push(copy);
      expect(copy.startsWith(folder.path)).toBe(false);
      expect(statSync(copy).mode & 0o777).toBe(0o755);
      expect(existsSync(copy.replace("a.js", "node_modules/b/package.json"))).toBe(true);
    });

    test("shares one copy among its users", () => {
      expect(copyIn(shared)).toBe(copyIn(other));
      expect([shared.id, other.id]).toEqual([54_321, 54_322]);
    });
  });

  describe("a later file of the same process", () => {
    otherUser(url);

    test("finds the copy of an earlier one removed, and gets another", () => {
      expect(copied.map((path) => existsSync(path))).toEqual([false]);
      expect(existsSync(copyIn(shared))).toBe(true);
    });
  });
});

test("leaves commands as they are for another user than root", () => {
  const { getuid } = process;
  onTestFinished(() => void Object.assign(process, { getuid }));
  Object.assign(process, { getuid: () => 1000 });
  const user = otherUser(new URL("../..", import.meta.url));
  expect(user.id).toBeUndefined();
  expect(user.command({ command: "node" })).toEqual({ command: "node" });
});
