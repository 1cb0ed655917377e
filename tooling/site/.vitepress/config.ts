// The site's configuration. https://vitepress.dev/reference/site-config
import { defineConfig } from "vitepress";
import { emptyHeadersToCells } from "../src/empty-headers.ts";
import { slugOf } from "../src/slug.ts";
import { SECTIONS } from "../src/pages.ts";

const linkOf = (path: string): string => `/${path.replace(/(^|\/)index$/, "$1")}`;

export default defineConfig({
  title: "Oarlock",
  description: "Model Context Protocol servers for files, git, SQLite and memory, and the kit to build your own",
  lang: "en",
  srcDir: "content",
  outDir: "dist",
  cacheDir: "node_modules/.cache/vitepress",
  cleanUrls: true,
  markdown: {
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    config: (markdown) => markdown.core.ruler.push("empty-headers", emptyHeadersToCells),
  },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Servers", link: "/servers/filesystem" },
      { text: "Guide", link: "/guide/" },
      { text: "Client", link: "/client" },
      { text: "Protocol", link: "/protocol" },
    ],
    sidebar: SECTIONS.map(({ title, pages }) => ({
      text: title,
      items: pages.map((page) => ({ text: page.title, link: linkOf(page.path) })),
    })),
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: "https://github.com/oarlock/oarlock" }],
    footer: { message: "MIT licence" },
  },
});
