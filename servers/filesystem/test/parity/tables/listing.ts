// list_directory, list_directory_with_sizes, directory_tree.
import { linkTo, type Tree } from "@oarlock/testing";
import { UNKNOWN, faulty, refused, refuses, same, says, type Call, type Row } from "../row.ts";

const NESTED: Tree = { d: { a: { b: { c: { d: { e: "deep" } } } }, x: { y: "1", z: {} }, "f.txt": "", ".h": { i: "" } } };

const TREES: Readonly<Record<string, Tree>> = {
  "an empty directory": { d: {} },
  "a mixed one": { d: { "b.txt": "bb", "a.txt": "a", sub: { x: "1" }, Zed: {}, ".hidden": "h", "10": "", "9": "", a: "", B: "", _: "" } },
  "names of many scripts": {
    d: { é: "1", "e\u0301": "2", 日本: "3", "😀": "4", "\uff5e": "5", Ä: "6", z: "7", ß: "8", İ: "", ı: "", Å: "", Ж: "", ا: "" },
  },
  "odd names": {
    d: {
      "a b": "",
      " lead": "",
      "'q'": "",
      "#": "",
      "[x]": "",
      "a*b": "",
      "-n": "",
      "~": "",
      $x: "",
      "a\\b": "",
      '"': "",
      "a-b": "",
      ab: "",
      a_b: "",
      "a.b": "",
      A: "",
    },
  },
  sizes: {
    d: {
      a: "x",
      b: "x".repeat(1023),
      c: "x".repeat(1024),
      d: "x".repeat(1536),
      e: "x".repeat(1024 * 1024),
      f: "x".repeat(3_500_000),
      g: "",
      h: "yy",
      i: "yy",
      j: { k: "" },
    },
  },
  "long names": {
    d: {
      "a-very-long-name-that-is-wider-than-its-column-of-thirty.txt": "x",
      "exactly-thirty-characters-long": "x",
      "twenty-nine-characters-in-all": "",
    },
  },
  "a nested one": NESTED,
  "600 entries": { d: Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`file-${i}.txt`, "x".repeat(i % 7)])) },
};

const LINKS: Tree = { d: { f: "x", l: linkTo("f"), dl: linkTo("sub"), sub: { y: "" }, broken: linkTo("none") } };
const EXCLUDES = [
  [],
  ["*.txt"],
  ["x"],
  ["**/x"],
  ["a/**"],
  ["a"],
  ["b/c"],
  ["?"],
  ["{a,x}"],
  ["[ab]*"],
  [".*"],
  ["**"],
  ["*"],
  ["!a"],
  ["z", "f.txt"],
  ["**/e"],
  ["d"],
  ["/a"],
  ["./a"],
  ["c/"],
  ["**/b/**"],
  ["e"],
  ["A"],
];
const TOOLS = ["list_directory", "list_directory_with_sizes", "directory_tree"] as const;

const list = (more: object = {}, path = "{}/d"): Call => ["list_directory", { path, ...more }];
const sizes = (more: object = {}, path = "{}/d"): Call => ["list_directory_with_sizes", { path, ...more }];
const tree = (more: object = {}, path = "{}/d"): Call => ["directory_tree", { path, ...more }];
const nodes = (value: unknown): string => JSON.stringify(value, null, 2);

export const listing: readonly Row[] = [
  ...Object.entries(TREES).map(([name, entries]) =>
    same(
      `lists and trees of ${name}`,
      entries,
      list(),
      sizes(),
      sizes({ sortBy: "name" }),
      sizes({ sortBy: "size" }),
      tree(),
      tree({}, "{name}/d"),
    ),
  ),
  ...EXCLUDES.flatMap((excludePatterns) => [
    same(`a tree without ${JSON.stringify(excludePatterns)}`, NESTED, tree({ excludePatterns })),
    same(`a tree by a relative path without ${JSON.stringify(excludePatterns)}`, NESTED, tree({ excludePatterns }, "{name}/d")),
  ]),
  says(
    "empty-text",
    "a tree without an empty pattern",
    { d: { a: "" } },
    tree({ excludePatterns: [""] }),
    nodes([{ name: "a", type: "file" }]),
  ),
  ...TOOLS.flatMap((tool): Row[] => [
    refused(`${tool} of what is missing`, {}, [tool, { path: "{}/none" }], "No such file or directory: {}/none"),
    refused(`${tool} of a file`, { f: "x" }, [tool, { path: "{}/f" }], "Expected a directory, but this is a file: {}/f"),
    refused(`${tool} outside`, {}, [tool, { path: "/etc" }], "Access denied - path outside allowed directories: /etc"),
    refused(
      `${tool} of a link that leads out`,
      { l: linkTo("/etc") },
      [tool, { path: "{}/l" }],
      "Access denied - path outside allowed directories: {}/l",
    ),
    refused(`${tool} without a path`, {}, [tool, {}], faulty(tool, "path")),
    refuses("empty-text", `${tool} of an empty path`, {}, [tool, { path: "" }], "Empty path: expected a file or directory name."),
    same(`${tool} of a link`, { d: { f: "" }, l: linkTo("d") }, [tool, { path: "{}/l" }]),
    same(`${tool} with a slash at the end`, { d: { f: "" } }, [tool, { path: "{}/d/" }]),
    same(`${tool} with dots`, { d: { e: {}, f: "" } }, [tool, { path: "{}/d/e/../." }]),
    says("unknown-arguments", `${tool} with an unknown argument`, { d: { f: "" } }, [tool, { path: "{}/d", nonsense: [] }], UNKNOWN),
  ]),
  refused("an order that is none", { d: {} }, sizes({ sortBy: "date" }), faulty("list_directory_with_sizes", "sortBy")),
  refused("text for patterns", { d: {} }, tree({ excludePatterns: "a" }), faulty("directory_tree", "excludePatterns")),

  says(
    "links",
    "a list with links",
    LINKS,
    list(),
    "[LINK] broken -> none (does not exist)\n[LINK] dl -> sub\n[FILE] f\n[LINK] l -> f\n[DIR] sub",
  ),
  says(
    "links",
    "a list with links that lead out",
    { d: { l: linkTo("/etc"), m: linkTo("/etc/hostname") } },
    list(),
    "[LINK] l (outside)\n[LINK] m (outside)",
  ),
  says(
    "links",
    "a list with links and sizes",
    LINKS,
    sizes(),
    /^\[LINK\] broken -> none \(does not exist\) +\n\[LINK\] dl -> sub +\n\[FILE\] f +1 B\n\[LINK\] l -> f +\n\[DIR\] sub +\n\nTotal: 1 files, 1 directories, 3 links\nCombined size: 1 B$/,
  ),
  says(
    "links",
    "a tree with links",
    LINKS,
    tree(),
    nodes([
      { name: "broken", type: "symlink" },
      { name: "dl", type: "symlink" },
      { name: "f", type: "file" },
      { name: "l", type: "symlink" },
      { name: "sub", type: "directory", children: [{ name: "y", type: "file" }] },
    ]),
  ),
  says(
    "one-line-names",
    "a list of names with control characters",
    { d: { "a\nb": "", "tab\there": "" } },
    list(),
    "[FILE] a\\nb\n[FILE] tab\\there",
  ),
  same("a tree of names with control characters", { d: { "a\nb": "", "tab\there": "" } }, tree()),
];
