/** Licence notices of bundled packages, which their licences require in every copy. */
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

const BELOW = `${sep}node_modules${sep}`;

interface Package {
  name: string;
  version: string;
  license?: string;
}

/** The notices of all packages that these modules come from, by name; empty where there are none. */
export function noticesOf(moduleIds: readonly string[]): string {
  const folders = new Set(moduleIds.flatMap((id) => folderOf(id) ?? []));
  const notices = new Map([...folders].map(noticeOf));
  return [...notices]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([title, text]) => `${title}\n\n${text}\n`)
    .join(`\n${"-".repeat(80)}\n\n`);
}

/** Of the package that a module lies in, where it is not our own. */
function folderOf(id: string): string | undefined {
  const from = id.lastIndexOf(BELOW);
  if (from < 0) return undefined;
  const [scope = "", name = ""] = id.slice(from + BELOW.length).split(sep);
  return id.slice(0, from + BELOW.length) + (scope.startsWith("@") ? join(scope, name) : scope);
}

function noticeOf(folder: string): [title: string, text: string] {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package; // installed, so it has these members
  const files = readdirSync(folder);
  const texts = files
    .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (texts.length === 0) texts.push(...files.filter((file) => /^readme/i.test(file)).flatMap((file) => licenceIn(join(folder, file))));
  if (license === undefined || texts.length === 0) throw new Error(`No licence found for the bundled package ${name}`);
  return [`${name} ${version} (${license})`, texts.join("\n\n")];
}

/** The licence section of a README, at its end; some packages have their licence nowhere else. */
function licenceIn(readme: string): string[] {
  const [, text] = /^#+ *licen[cs]e *$(.*)/ims.exec(readFileSync(readme, "utf8")) ?? [];
  return text?.includes("Copyright") === true ? [text.trim()] : [];
}
