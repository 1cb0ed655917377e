/**
 * Builds the views of a server: `views/NAME/main.ts` and `style.css`, with the look that all views share, become one page without
 * external files, `dist/views/NAME.html`.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const LOOK = new URL("../../packages/extensions/src/page/look.css", import.meta.url);

interface Named {
  name: string;
  version: string;
}

/** Writes the views of a package into a folder. Returns the modules that were put in. */
export async function bundleViews(home: string, target: string): Promise<string[]> {
  const modules: string[] = [];
  const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as Named; // our own
  for (const entry of globSync(join(home, "views/*/main.ts")).toSorted()) {
    const folder = dirname(entry);
    const { code, moduleIds } = await browserScript(entry);
    const html = pageOf(manifest, { view: basename(folder), script: code, style: styleOf(folder) });
    mkdirSync(target, { recursive: true });
    const file = join(target, `${basename(folder)}.html`);
    writeFileSync(file, html);
    console.log(`${file} ${(Buffer.byteLength(html) / 1024).toFixed(1)} KB`);
    modules.push(...moduleIds);
  }
  return modules;
}

/** A module with all that it imports, as the text of an element `script`; and the modules that were put in. */
export async function browserScript(entry: string): Promise<{ code: string; moduleIds: string[] }> {
  const build = await rolldown({
    input: entry,
    platform: "browser",
    resolve: { conditionNames: ["oarlock-source", "browser", "import", "default"] },
    transform: { target: "es2022" },
  });
  try {
    const { output } = await build.generate({ format: "esm", minify: true, comments: false, codeSplitting: false });
    const [chunk, ...others] = output;
    const outside = [...chunk.imports, ...chunk.dynamicImports];
    if (others.length > 0 || outside.length > 0)
      throw new Error(`${entry} is not self-contained: ${[...outside, ...others.map(({ fileName }) => fileName)].join(", ")}`);
    // A script ends at `</script`, wherever it stands; `<!--` changes how the browser reads what follows.
    const code = chunk.code.trim().replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
    return { code, moduleIds: chunk.moduleIds };
  } finally {
    await build.close();
  }
}

function styleOf(folder: string): string {
  const own = join(folder, "style.css");
  const css = readFileSync(fileURLToPath(LOOK), "utf8") + (existsSync(own) ? readStyle(own) : "");
  return css
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};]) ?/g, "$1")
    .trim();
}

/** A style sheet with those that it imports: `@import "../other.css";`. */
const readStyle = (file: string): string =>
  readFileSync(file, "utf8").replaceAll(/^@import "(.+)";$/gm, (_, path: string) => readStyle(join(dirname(file), path)));

interface View {
  view: string;
  script: string;
  style: string;
}

function pageOf({ name, version }: Named, { view, script, style }: View): string {
  const server = name.replace("@oarlock/", "oarlock-");
  return `<!doctype html>
<html lang="en" data-state="loading" data-view="${server}/${view}" data-version="${version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${server}: ${view}</title>
<style>${style}</style>
</head>
<body>
<main role="main" aria-label="${view}"></main>
<script type="module">${script}</script>
</body>
</html>
`;
}
