/** Notes of a release, from the changelogs of all packages: `node notes.ts 1.2.3`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { manifestOf, publishedFolders, root } from "./repository.ts";

/** The section of a version in a changelog, without lines that only name updated dependencies; empty where there is none. */
export function sectionOf(changelog: string, version: string): string {
  const [, section = ""] = changelog.split(`\n## ${version}\n`);
  const [text = ""] = section.split(/\n## /);
  const changes = text.replaceAll(/^- Updated dependencies.*\n(?: {2}- .*\n?)*/gm, "");
  return changes.replaceAll(/^### .*$/gm, "").trim() === "" ? "" : changes.trim();
}

export function notesOf(version: string): string {
  const sections = publishedFolders().flatMap((folder) => {
    const section = sectionOf(readFileSync(join(root, folder, "CHANGELOG.md"), "utf8"), version);
    return section === "" ? [] : `## ${manifestOf(join(root, folder)).name}\n\n${section.replaceAll(/^###/gm, "####")}`;
  });
  if (sections.length === 0) throw new Error(`No changelog has a section ${version}. Apply the changesets: pnpm release:version.`);
  return `${sections.join("\n\n")}\n`;
}

if (import.meta.main) console.log(notesOf(process.argv[2] ?? ""));
