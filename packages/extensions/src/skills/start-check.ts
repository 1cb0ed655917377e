// Start check: whether a skill may be bad. Reads no YAML, whose parser costs a start 10 ms of processor time.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { SKILL_NAME } from "./skill-name.ts";

/** A frontmatter that needs no parser: single lines of plain text. What else there may be is left to the parser. */
const PLAIN = /^---\nname: (.*)\ndescription: [A-Za-z](?:(?!: | #|:\n).)*\n(?:license: [A-Za-z0-9.-]+\n)?---\n/;

/** False where each `SKILL.md` of the folder can be served. True where only reading the skills shows it. */
export function maySkip(folder: string): boolean {
  try {
    const manifests = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) => name === "SKILL.md");
    return !manifests.every(({ name, parentPath }) => {
      const [, skill = ""] = PLAIN.exec(readFileSync(join(parentPath, name), "utf8")) ?? [];
      return skill === basename(parentPath) && SKILL_NAME.test(skill);
    });
  } catch {
    return true; // reading them names the reason
  }
}
