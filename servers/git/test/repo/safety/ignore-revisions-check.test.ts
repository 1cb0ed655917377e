// Which files blame.ignoreRevsFile may name: git reads them, and quotes their content in errors.
import { execFileSync } from "node:child_process";
import { linkTo, needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import type { ConfigEntry } from "../../../src/repo/process/config-list.ts";
import { checkIgnoreRevisionsFile } from "../../../src/repo/safety/ignore-revisions-check.ts";

const KEY = "blame.ignorerevsfile";

async function opened() {
  const folder = tempFolder({
    top: { ".git": { config: "" }, "d/plain": "", plain: "", out: linkTo("../secret"), in: linkTo("plain"), pages: linkTo(".git/config") },
    common: { x: "" },
    secret: "",
    "top-2": { x: "" },
  });
  const state = { top: folder.at("top"), gitDir: folder.at("top/.git"), commonDir: folder.at("top/d/common"), isBare: false };
  const checked = (config: readonly ConfigEntry[], changed: { isBare?: boolean; isTrusted?: boolean; commonDir?: string } = {}) => {
    try {
      checkIgnoreRevisionsFile({
        state: { ...state, isTrusted: false, networkSettings: [], changeSettings: [], mergeSettings: [], config, ...changed },
      });
      return "accepted";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  return { folder, checked, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const REFUSED =
  "Refused: blame.ignoreRevsFile in the configuration of the repository must name a plain file of its work tree. Remove the setting (git config --unset blame.ignoreRevsFile), or start the server with --trust and the path of the repository.";
const MISSING =
  "blame.ignoreRevsFile in the configuration of the repository names a missing file. Create it, or remove the setting (git config --unset blame.ignoreRevsFile).";

test.each([
  ["plain", "accepted"],
  ["d/plain", "accepted"],
  ["in", "accepted"],
  ["", "accepted"],
  [undefined, "accepted"],
  ["none", MISSING],
  ["d/none", MISSING],
  ["../none", REFUSED],
  ["../secret", REFUSED],
  ["../top-2/x", REFUSED],
  ["out", REFUSED],
  ["pages", REFUSED],
  ["pipe", REFUSED],
  ["d", REFUSED],
  [".", REFUSED],
  [".git/config", REFUSED],
  ["~/plain", REFUSED],
  ["~ann/plain", REFUSED],
  ["%(prefix)/plain", REFUSED],
])("judges the file %j as %s", needs("named pipes"), async (value, expected) => {
  await using at = await opened();
  execFileSync("mkfifo", [at.folder.at("top/pipe")]);
  expect(at.checked([{ key: KEY, value }])).toBe(expected);
});

test("reads each value of the setting, and no other setting", async () => {
  await using at = await opened();
  expect(at.checked([{ key: "blame.coloring", value: "out" }])).toBe("accepted");
  for (const values of [
    ["out", "plain"],
    ["plain", "out"],
    ["", "out"],
  ])
    expect(at.checked(values.map((value) => ({ key: KEY, value })))).toBe(REFUSED);
});

test("lets a trusted repository name any file, and a bare one none", async () => {
  await using at = await opened();
  expect(at.checked([{ key: KEY, value: "out" }], { isTrusted: true })).toBe("accepted");
  expect(at.checked([{ key: KEY, value: "plain" }], { isBare: true })).toBe(REFUSED);
});

test("treats the common directory of linked work trees as git's own, wherever it lies", async () => {
  await using at = await opened();
  const config = [{ key: KEY, value: "d/plain" }];
  expect(at.checked(config)).toBe("accepted");
  expect(at.checked(config, { commonDir: at.folder.at("top/d") })).toBe(REFUSED);
});
