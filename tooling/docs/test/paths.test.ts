/** Checks the paths that pages name: each exists, and the list of followed paths in docs/security.md is complete. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../src/examples.ts";
import { TEXTS } from "./read-blocks.ts";

const SECURITY = "docs/security.md";
const FROM_ROOT = /^(?:packages|servers|tooling|docs|examples)\/[\w./-]+$/;
/** Such a sentence says where the paths of a section begin. */
const BASE = /^Paths in this section are below `([\w/-]+\/)`\.$/;

interface NamedPath {
  readonly page: string;
  readonly line: number;
  readonly path: string;
}

const pathsOf = (page: string): NamedPath[] => {
  let base = "";
  return readFileSync(join(root, page), "utf8")
    .split("\n")
    .flatMap((text, index) => {
      if (text.startsWith("#")) base = "";
      base = BASE.exec(text)?.[1] ?? base;
      return [...text.matchAll(/`([^`]+)`/g)].flatMap(([, span = ""]) => {
        const path = FROM_ROOT.test(span) ? span : base !== "" && /^(?:src|test)\/[\w./-]+$/.test(span) ? base + span : undefined;
        return path === undefined ? [] : [{ page, line: index + 1, path }];
      });
    });
};

test.each(TEXTS)("%s names paths that exist", (page) => {
  const missing = pathsOf(page).filter(({ path }) => !isElsewhere(path) && !existsSync(join(root, path)));
  expect(missing.map(({ line, path }) => `${page}:${line}: ${path}`)).toEqual([]);
});

/** What a build writes, and names that a reader fills in. */
const isElsewhere = (path: string): boolean => /(?:^|\/)(?:dist|node_modules|\.cache)(?:\/|$)|NAME/.test(path);

test(`${SECURITY} names a mechanism and tests for each promise`, () => {
  const tables = readFileSync(join(root, SECURITY), "utf8").split("| promise | against | mechanism | tests |\n").slice(1);
  const promises = tables.flatMap((table) => table.split("\n\n", 1)[0]?.split("\n").slice(1) ?? []);
  expect(promises.length).toBeGreaterThan(40);
  expect(promises.filter((row) => !/^\| .+\. \| [a-z, ]+ \| .+ \| .*`[\w./-]+\.test\.ts` \|$/.test(row))).toEqual([]);
});

test(`${SECURITY} lists each file of the servers that follows a path`, () => {
  const start = readFileSync(join(root, SECURITY), "utf8").split("\n").indexOf("## Where a path is followed");
  const listed = pathsOf(SECURITY).flatMap(({ line, path }) => (line > start ? [path] : []));
  const followers = globSync(["servers/*/src/**/*.ts", "packages/domain-kit/src/**/*.ts"], { cwd: root }).filter((file) =>
    /^import (?!type )[^;]*? from "node:fs(?:\/promises)?";$/m.test(readFileSync(join(root, file), "utf8")),
  );
  expect(followers.length).toBeGreaterThan(60);
  const unlisted = followers.filter((file) => !listed.some((path) => file === path || (path.endsWith("/") && file.startsWith(path))));
  expect(unlisted.toSorted(), `say in ${SECURITY}, "Where a path is followed", what these open and how`).toEqual([]);
});
