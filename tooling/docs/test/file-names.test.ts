/** Checks the names of source files and folders in backticks: each is a file or folder of the page's package, or of the repository. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../src/examples.ts";
import { TEXTS } from "./read-blocks.ts";

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" }).split("\n");

/** Source files, and folders of them. */
const NAME = /^(?:[\w.-]+\/)*(?:[\w.-]+\.(?:ts|tsv|mjs|cjs)|[\w.-]+\/)$/;
/** Files of readers, of builds and of examples. */
const ELSEWHERE = /(?:^|\/)(?:dist|node_modules|tarballs|\.cache|\.git|content|deep)\/|NAME|^x\.|^my-/;

/** Pages whose names are their readers' or of a time past. */
const PAST = /(?:CHANGELOG|API)\.md$|^docs\/(?:performance|releases\/)/;

const isNamed = (name: string, path: string): boolean => `/${path}`.includes(`/${name}`) && (name.endsWith("/") || path.endsWith(name));

const packageOf = (page: string): string => /^(?:packages|servers|examples)\/[^/]+\//.exec(page)?.[0] ?? "";

test.each(TEXTS.filter((page) => !PAST.test(page)))("finds the files and folders that %s names", (page) => {
  const own = files.filter((path) => path.startsWith(packageOf(page)));
  const exists = (name: string): boolean =>
    own.some((path) => isNamed(name, path)) || files.includes(name) || files.some((path) => path.startsWith(name));
  const text = readFileSync(join(root, page), "utf8").replaceAll(/^ *```[^]*?^ *```$/gm, "");
  const missing = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, name = ""]) =>
    NAME.test(name) && !ELSEWHERE.test(name) && !exists(name.replace(/^(?:\.\.\/)+/, "")) ? [name] : [],
  );
  expect([...new Set(missing)], `${page}: correct these names, or leave the backticks out where no file of ours is meant`).toEqual([]);
});
