/** The change that `npm run test:changed` tests: what differs from the main branch, and the tests that are about it. */
import { execFileSync } from "node:child_process";
import { dirname } from "node:path/posix";
import { root } from "../steps.mjs";

/** There is no change that could be tested. */
export class NoChangeError extends Error {}

export interface Change {
  /** The commit that the files are compared with. */
  readonly base: string;
  /** Changed, new and deleted files, relative to the root of the repository. */
  readonly files: readonly string[];
  /** Tests of changed files that no test imports. */
  readonly tests: readonly string[];
  /** Files that select no test by themselves. */
  readonly unseen: readonly string[];
}

/** Tests that read files instead of importing them. */
const READERS: readonly (readonly [file: RegExp, tests: string])[] = [
  [/\.md$/, "tooling/docs/test/"],
  [/^\.github\/workflows\//, "tooling/release/test/workflow.test.ts"],
  // Pages, which run in a browser.
  [/^(?:servers\/[^/]+\/views|tooling\/apps\/src\/page|packages\/extensions\/src\/(?:page|view))\//, "tooling/apps/test/"],
];

const MODULE = /\.[cm]?[jt]s$/;
/** Processes start these; modules elsewhere in the tests are imported. */
const FIXTURE = /\/test\/(?:.*\/)?fixtures\//;
const IN_TESTS = /\/test\//;

/**
 * What has changed since this branch left `given`, by default `origin/main` or `main`.
 * @throws {NoChangeError} when there is no such commit, or nothing has changed since.
 */
export function changeSince(given: string | undefined): Change {
  const base = baseOfChange(given);
  // Without renames both names count: tests may still import the old one.
  const changed = [
    ...namesOf("diff", "--name-only", "--no-renames", "-z", base),
    ...namesOf("ls-files", "--others", "--exclude-standard", "-z"),
  ];
  const files = [...new Set(changed)].toSorted();
  if (files.length === 0) throw new NoChangeError("Nothing has changed. Name an earlier commit: npm run test:changed -- --base REF.");
  const tests = namesOf("ls-files", "--cached", "--others", "--exclude-standard", "-z", "*.test.ts");
  const readers = files.map((file) => ({ file, tests: readersOf(file, tests) }));
  return {
    base,
    files,
    tests: [...new Set(readers.flatMap((reader) => reader.tests))],
    unseen: readers.filter((reader) => reader.tests.length === 0 && !MODULE.test(reader.file)).map(({ file }) => file),
  };
}

/** The tests that read a file instead of importing it. */
export function readersOf(file: string, tests: readonly string[]): readonly string[] {
  const readers = READERS.filter(([pattern]) => pattern.test(file)).flatMap(([, path]) => tests.filter((test) => test.startsWith(path)));
  return isFixture(file) ? [...readers, ...testsNear(file, tests)] : readers;
}

const isFixture = (file: string): boolean => FIXTURE.test(file) || (IN_TESTS.test(file) && !MODULE.test(file));

/** The tests below the nearest folder that has any. */
function testsNear(file: string, tests: readonly string[]): readonly string[] {
  const folder = dirname(file);
  const near = tests.filter((test) => test.startsWith(`${folder}/`));
  return near.length > 0 || !IN_TESTS.test(folder) ? near : testsNear(folder, tests);
}

/** What the person who runs this should know. */
export function describeChange({ base, files, unseen }: Change): string {
  return [
    `\n${files.length} files changed since ${base.slice(0, 12)}. Tests are selected by imports, and by folder for pages, Markdown, workflows and`,
    "fixtures. Not seen: what tests reach through a process or a built file; `npm test` sees most of it.",
    ...(unseen.length > 0 ? ["Files that select no test:", ...unseen.map((file) => `  ${file}`)] : []),
  ].join("\n");
}

function baseOfChange(given: string | undefined): string {
  const branches = given === undefined ? ["origin/main", "main"] : [given];
  const base = branches.map(mergeBase).find((commit) => commit !== undefined);
  if (base !== undefined) return base;
  throw new NoChangeError(
    `HEAD has no common commit with ${branches.join(" or ")} in this clone. Fetch it, in a shallow clone with git fetch --unshallow.`,
  );
}

function mergeBase(branch: string): string | undefined {
  try {
    return git("merge-base", "HEAD", branch).trim();
  } catch {
    return undefined;
  }
}

const namesOf = (...args: readonly string[]): readonly string[] =>
  git(...args)
    .split("\0")
    .filter((name) => name !== "");

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 26 });
