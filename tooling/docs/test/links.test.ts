/** Checks the links between pages: each leads to a file, and to a heading where it names one. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { expect, test } from "vitest";
import { slugOf } from "../../site/src/slug.ts";
import { root } from "../src/examples.ts";
import { TEXTS } from "./read-blocks.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const withoutBlocks = (text: string): string => text.replaceAll(/^ *```[^]*?^ *```$/gm, "");

const headingsOf = (file: string): string[] =>
  [...withoutBlocks(read(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    slugOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")),
  );

const linksOf = (file: string): string[] =>
  [
    ...withoutBlocks(read(file))
      .replaceAll(/`[^`\n]*`/g, "`")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].flatMap(([, link = ""]) => (/^[a-z]+:/i.test(link) ? [] : [link]));

test.each(TEXTS)("finds the file and the heading of each link of %s", (page) => {
  const wrong = linksOf(page).filter((link) => {
    const [path = "", heading] = link.split("#");
    const target = path === "" ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(root, target))) return true;
    return heading !== undefined && target.endsWith(".md") && !headingsOf(target).includes(heading);
  });
  expect(wrong, `${page}: correct these links, or the headings that they name`).toEqual([]);
});
