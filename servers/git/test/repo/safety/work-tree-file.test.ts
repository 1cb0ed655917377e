// Files of the work tree that this server reads itself.
import { execFileSync } from "node:child_process";
import { linkTo, needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { readWorkTreeFile } from "../../../src/repo/safety/work-tree-file.ts";

const folder = tempFolder({
  "top/a.txt": "a\n",
  "top/link": linkTo("a.txt"),
  "top/away": linkTo("../out"),
  "top/d": {},
  "out/s.txt": "CANARY\n",
});
const repository = { state: { top: folder.at("top"), gitDir: folder.at("top/.git"), commonDir: folder.at("top/.git"), isBare: false } };
const read = (path: string, maxBytes = 100) => readWorkTreeFile(repository, path, maxBytes);

test("reads a plain file up to a size", () => {
  expect(read("a.txt")).toEqual(Buffer.from("a\n"));
  expect(read("a.txt", 1)).toBe("too-large");
});

test("finds no plain file at a link, a folder, a pipe, a path below a file or a missing path", needs("named pipes"), () => {
  execFileSync("mkfifo", [folder.at("top/pipe")]);
  for (const path of ["link", "d", "pipe", "a.txt/b", "none"]) expect(read(path), path).toBeUndefined();
});

test("refuses a file beyond a link to another folder (L1)", () =>
  expect(() => read("away/s.txt")).toThrow("File changed: another program"));
