// Rewrites the links of a file of the repository for its place in the site. A link that leads nowhere is an error.
import { existsSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path/posix";
import { PAGES, type Page } from "./pages.ts";

const REPOSITORY = "https://github.com/oarlock/oarlock";
const IMAGE = /\.(?:png|svg|gif)$/;

export interface Rewritten {
  readonly text: string;
  /** Images that the page shows, from the root of the repository. */
  readonly images: readonly string[];
}

/** Links in code stay as they are. Throws on a link to a file that does not exist. */
export function rewriteLinks(text: string, page: Page, root: string): Rewritten {
  const images: string[] = [];
  const target = (link: string): string => {
    if (/^(?:[a-z]+:|#)/i.test(link)) return link;
    const [path = "", anchor] = link.split("#");
    const file = normalize(join(dirname(page.source), path));
    if (!existsSync(join(root, file))) throw new Error(`${page.source}: the link ${JSON.stringify(link)} leads nowhere`);
    const fragment = anchor === undefined ? "" : `#${anchor}`;
    if (IMAGE.test(file)) {
      images.push(file);
      return fromPage(page, `files/${file}`);
    }
    const other = PAGES.find(({ source }) => source === file);
    if (other !== undefined) return `${fromPage(page, `${other.path}.md`)}${fragment}`;
    const kind = statSync(join(root, file)).isDirectory() ? "tree" : "blob";
    return `${REPOSITORY}/${kind}/main/${file}${fragment}`;
  };
  const parts = text.split(/(^```[^]*?^```$|`[^`\n]*`)/m);
  const rewritten = parts.map((part, index) =>
    index % 2 === 1
      ? part
      : part
          .replaceAll(/\]\(([^)\s]+)((?:\s+"[^"]*")?)\)/g, (_, link: string, title: string) => `](${target(link)}${title})`)
          .replaceAll(/(<(?:img|source)[^>]* src(?:set)?=")([^"]+)"/g, (_, start: string, link: string) => `${start}${target(link)}"`),
  );
  return { text: rewritten.join(""), images };
}

const fromPage = ({ path }: Page, to: string): string => {
  const way = relative(dirname(path), to);
  return way.startsWith(".") ? way : `./${way}`;
};
