// The pages of the site, from `pages.tsv`: each is a file of the repository, at its place in the site. Nothing is written twice.
import { readFileSync } from "node:fs";

export interface Page {
  /** The file, from the root of the repository. */
  readonly source: string;
  /** The place in the site, without ending. */
  readonly path: string;
  readonly title: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
}

const [, ...rows] = readFileSync(new URL("../pages.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split("\t"));

/** The first page. */
export const HOME: Page = { title: "Oarlock", path: "index", source: "docs/index.md" };

/** In the order of the table. */
export const SECTIONS: readonly Section[] = [...Map.groupBy(rows, ([section = ""]) => section)].map(([title, pages]) => ({
  title,
  pages: pages.map(([, name = "", path = "", source = ""]) => ({ title: name, path, source })),
}));

export const PAGES: readonly Page[] = [HOME, ...SECTIONS.flatMap(({ pages }) => pages)];
