// The listing and searching tools in every revision, with paging.
import { linkTo, type Tree } from "@oarlock/testing";
import { expect } from "vitest";
import { everyRevisionOn, text, type ServedFolder } from "../support/served-folder.ts";

const MIXED: Tree = { "a.txt": "a", "b.txt": "bbbbb", sub: { "c.txt": "" }, l: linkTo("sub") };

everyRevisionOn("marks in list_directory the type of each entry", MIXED, async ({ says, folder }) => {
  await says("list_directory", { path: folder }, "[FILE] a.txt\n[FILE] b.txt\n[LINK] l -> sub\n[DIR] sub", {
    truncated: false,
    entries: [
      { name: "a.txt", type: "file" },
      { name: "b.txt", type: "file" },
      { name: "l", type: "symlink", target: "sub" },
      { name: "sub", type: "directory" },
    ],
  });
});

everyRevisionOn("sorts and totals in list_directory_with_sizes", MIXED, async ({ call, folder, structured }) => {
  const result = await call("list_directory_with_sizes", { path: folder, sortBy: "size" });
  expect(text(result)).toMatch(
    /^\[DIR\] sub +\n\[FILE\] b\.txt +5 B\n\[LINK\] l -> sub +\n\[FILE\] a\.txt +1 B\n\nTotal: 2 files, 1 directories, 1 links\nCombined size: 6 B$/,
  );
  if (structured)
    expect(result.structuredContent).toMatchObject({ totals: { files: 2, directories: 1, symlinks: 1, others: 0, bytes: 6 } });
});

everyRevisionOn("returns directory_tree as JSON, with optional limits of depth and size", MIXED, async ({ says, folder }) => {
  const nodes = (value: unknown): string => JSON.stringify(value, null, 2);
  const top = [
    { name: "a.txt", type: "file" },
    { name: "b.txt", type: "file" },
    { name: "l", type: "symlink" },
  ];
  const whole = nodes([...top, { name: "sub", type: "directory", children: [{ name: "c.txt", type: "file" }] }]);
  await says("directory_tree", { path: folder }, whole, { entries: 5, truncated: false, omitted: { entries: 0, directories: 0 } });
});

everyRevisionOn("states in directory_tree where it was cut", MIXED, async ({ call, folder, structured }) => {
  for (const bound of [{ maxDepth: 1 }, { maxEntries: 3 }]) {
    const result = await call("directory_tree", { path: folder, ...bound });
    expect(text(result)).toMatch(/\]\n\(the tree is cut /);
    if (structured) expect(result.structuredContent).toMatchObject({ truncated: true, omitted: { directories: 1 } });
  }
});

everyRevisionOn("finds names by search_files", MIXED, async ({ says, folder, at }) => {
  await says("search_files", { path: folder, pattern: "**/*.txt" }, `${at("a.txt")}\n${at("b.txt")}\n${at("sub/c.txt")}`, {
    paths: [at("a.txt"), at("b.txt"), at("sub/c.txt")],
    truncated: false,
  });
  await says("search_files", { path: folder, pattern: "*.md" }, "No matches found", { paths: [], truncated: false });
  await says("search_files", { path: folder, pattern: "*", type: "directory" }, at("sub"), { paths: [at("sub")], truncated: false });
});

const MANY: Tree = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`f${String(at).padStart(2, "0")}`, "x".repeat(at)]));
const PAGED = [
  ["list_directory", {}],
  ["list_directory_with_sizes", { sortBy: "size" }],
  ["search_files", { pattern: "*" }],
] as const;

/** All pages of a tool, each as its items. */
async function pages({ client, folder }: ServedFolder, name: string, args: object): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for (let cursor: unknown, first = true; first || cursor !== undefined; first = false) {
    const { structuredContent, isError } = await client.call(name, {
      path: folder,
      limit: 10,
      ...args,
      ...(cursor !== undefined && { cursor }),
    });
    expect(isError).toBeUndefined();
    const { entries, paths, truncated, nextCursor } = structuredContent as {
      entries?: { name: string }[];
      paths?: string[];
      truncated: boolean;
      nextCursor?: string;
    };
    found.push(entries?.map((entry) => entry.name) ?? paths?.map((path) => path.slice(path.lastIndexOf("/") + 1)) ?? []);
    expect(truncated).toBe(nextCursor !== undefined);
    cursor = nextCursor;
  }
  return found;
}

everyRevisionOn("returns long lists in pages with a cursor", MANY, async (cell) => {
  if (!cell.structured)
    return expect(text(await cell.call("list_directory", { path: cell.folder, limit: 10 }))).toMatch(
      /^\(entries 1 to 10 of 25; pass the cursor \S+ to go on\)\n/,
    );
  for (const [name, args] of PAGED) {
    const found = await pages(cell, name, args);
    expect(
      found.map((page) => page.length),
      name,
    ).toEqual([10, 10, 5]);
    const order = Object.keys(MANY);
    expect(found.flat(), name).toEqual(name === "list_directory_with_sizes" ? order.toReversed() : order);
  }
});

everyRevisionOn("puts a working cursor into the text of a list, also when no other field has it", MANY, async ({ call, folder }) => {
  for (const [name, args] of PAGED) {
    const first = text(await call(name, { path: folder, limit: 10, ...args }));
    const cursor = /cursor (\S+) to go on/.exec(first)?.[1];
    const second = text(await call(name, { path: folder, limit: 10, ...args, cursor }));
    expect(second).not.toBe(first);
    expect(second).toMatch(name === "list_directory_with_sizes" ? /f14 / : /f10\b/);
  }
});

everyRevisionOn("KIT-10 refuses a forged cursor and one of another query", MANY, async ({ call, failure, folder, at }) => {
  const cursor = /cursor (\S+) to go on/.exec(text(await call("list_directory", { path: folder, limit: 10 })))?.[1];
  for (const [name, args] of PAGED) {
    for (const forged of ["", "x", `${cursor}x`, Buffer.from('{"after":"f10"}').toString("base64url"), "../../etc", "9".repeat(5000)]) {
      expect(await failure(name, { path: folder, limit: 10, ...args, cursor: forged }), `${name} ${forged}`).toMatch(/cursor/i);
    }
  }
  expect(await failure("search_files", { path: folder, pattern: "*", cursor })).toMatch(/cursor/i);
  expect(
    await failure("list_directory", { path: at("."), limit: 10, cursor: `${cursor?.slice(0, -1)}${cursor?.endsWith("A") ? "B" : "A"}` }),
  ).toMatch(/cursor/i);
});

everyRevisionOn(
  "TOOL-29 keeps a newline of a name inside its line of text, and the name unchanged in the fields",
  { "a\n[DIR] b": "" },
  async ({ says, folder }) => {
    await says("list_directory", { path: folder }, "[FILE] a\\n[DIR] b", {
      entries: [{ name: "a\n[DIR] b", type: "file" }],
      truncated: false,
    });
  },
);
