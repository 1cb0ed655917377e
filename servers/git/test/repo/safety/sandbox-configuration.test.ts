// Which folders the operator's switches open.
import { linkTo, tempFolder, type TempFolder, type Tree } from "@oarlock/testing";
import { expect, test } from "vitest";
import { configureSandbox, type RequestedFolders } from "../../../src/repo/safety/sandbox-configuration.ts";

const BARE: Tree = { HEAD: "ref: refs/heads/main\n", objects: {}, refs: {} };

const opened = (): TempFolder =>
  tempFolder({
    work: { ".git": BARE, "a/b": {}, file: "" },
    linked: { ".git": "gitdir: ../work/.git\n", sub: {} },
    "bare.git": { ...BARE, hooks: {} },
    plain: { sub: {} },
    link: linkTo("work"),
  });

const nothing: RequestedFolders = { repositories: [], roots: [] };

test("opens a repository once by its top, with the path that was given", async () => {
  await using at = opened();
  const of = (...names: string[]) => configureSandbox({ ...nothing, repositories: names.map((name) => at.at(name)) });
  for (const name of ["work", "linked", "bare.git"])
    expect(of(name)).toEqual({ folders: [{ given: at.at(name), real: at.at(name), kind: "repository" }], skipped: [], partial: [] });
  expect(of("link", "work", "linked").folders).toEqual([
    { given: at.at("link"), real: at.at("work"), kind: "repository" },
    { given: at.at("linked"), real: at.at("linked"), kind: "repository" },
  ]);
});

test("opens nothing for a part of a repository, and names the top", async () => {
  await using at = opened();
  const parts = ["work/a", "work/a/b", "linked/sub", "work/.git/refs"];
  expect(configureSandbox({ ...nothing, repositories: parts.map((name) => at.at(name)) })).toEqual({
    folders: [],
    skipped: [],
    partial: parts.map((name) => ({ path: at.at(name), top: at.at(name.split("/")[0] ?? "") })),
  });
});

test("skips paths that cannot be opened, with the reason", async () => {
  await using at = opened();
  const repositories = [at.at("plain"), at.at("none"), at.at("work/file"), at.at("work/file/x"), "", "  "];
  expect(configureSandbox({ repositories, roots: [at.at("none"), at.at("plain")] })).toEqual({
    folders: [{ given: at.at("plain"), real: at.at("plain"), kind: "root" }],
    skipped: [
      { path: at.at("plain"), reason: "not-a-repository" },
      { path: at.at("none"), reason: "missing" },
      { path: at.at("work/file"), reason: "not-a-folder" },
      { path: at.at("work/file/x"), reason: "not-a-folder" },
      { path: "", reason: "missing" },
      { path: "  ", reason: "missing" },
      { path: at.at("none"), reason: "missing" },
    ],
    partial: [],
  });
});

test("accepts a folder as repository and root at once", async () => {
  await using at = opened();
  const path = at.at("work");
  expect(configureSandbox({ repositories: [path], roots: [path, path] }).folders.map(({ kind }) => kind)).toEqual(["repository", "root"]);
});

test("opens the repository around the working directory only without named ones", async () => {
  await using at = opened();
  const real = at.at("work");
  const around = { folders: [{ given: real, real, kind: "repository" }], skipped: [], partial: [] };
  for (const cwd of ["work", "work/a/b", "link/a", "work/.git"]) expect(configureSandbox({ ...nothing, cwd: at.at(cwd) })).toEqual(around);
  for (const cwd of ["plain/sub", "none"])
    expect(configureSandbox({ ...nothing, cwd: at.at(cwd) })).toEqual({ folders: [], skipped: [], partial: [] });
  const named = { cwd: at.at("work/a"), repositories: [], roots: [at.at("plain")] };
  expect(configureSandbox(named).folders.map((folder) => folder.real)).toEqual([at.at("plain")]);
  expect(configureSandbox({ ...named, repositories: [at.at("none")], roots: [] }).folders).toEqual([]);
});
