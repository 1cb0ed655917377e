// Files and names whose replies are at their heaviest, and requests whose answers would be large.
import { mkdirSync, writeFileSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { tempFolder, type TempFolder } from "@oarlock/testing";

/** What JSON writes as six bytes for one, and what UTF-8 writes as four. */
const HEAVY = "\u0001";
const WIDE = "😀";

/** `part`: 1 for files of some megabytes and lists of some thousand names, less for smaller ones. */
export function heavyFolder(part: number): TempFolder {
  const times = (count: number): number => Math.ceil(count * part);
  const folder = tempFolder({
    heavy: HEAVY.repeat(times(3_000_000)),
    "heavy after a line": `a\n${HEAVY.repeat(times(3_000_000))}`,
    "heavy lines": `${HEAVY.repeat(99)}\n`.repeat(times(30_000)),
    wide: WIDE.repeat(times(1_000_000)),
    quotes: '"\\'.repeat(times(1_500_000)),
    newlines: "\n".repeat(times(3_000_000)),
    plain: `${"x".repeat(99)}\n`.repeat(times(40_000)),
    bytes: Buffer.alloc(times(900_000), 7),
    "more bytes": Buffer.alloc(times(3_000_000), 7),
    long: {},
    many: {},
  });
  // A name has at most 255 bytes; controls in it are shown as four characters each, and go out in JSON once more.
  for (let at = 0; at < times(800); at++) writeFileSync(folder.at("long", `${at}-${HEAVY.repeat(240)}`), "");
  for (let d = 0; d < times(20); d++) {
    mkdirSync(folder.at("many", `${d}${WIDE.repeat(50)}`));
    for (let f = 0; f < 100; f++) writeFileSync(folder.at("many", `${d}${WIDE.repeat(50)}`, `${f}${WIDE.repeat(60)}`), "");
  }
  return folder;
}

const FILES = ["heavy", "heavy lines", "wide", "quotes", "newlines", "plain", "bytes", "more bytes"];

/** Requests whose answers would be large. */
export function heavyRequests(folder: TempFolder): [method: string, params: Json][] {
  const call = (name: string, args: Json): [string, Json] => ["tools/call", { name, arguments: args }];
  const files = FILES.map((name) => folder.at(name));
  return [
    ...files.flatMap((path) => [
      call("read_text_file", { path }),
      call("read_text_file", { path, encoding: "latin1" }),
      call("read_text_file", { path, head: 1_000_000 }),
      call("read_text_file", { path, tail: 1_000_000 }),
      call("read_text_file", { path, offset: 1, limit: 1_000_000, lineNumbers: true }),
      call("read_media_file", { path }),
      ["resources/read", { uri: `file://${path.replaceAll(" ", "%20")}` }] as [string, Json],
    ]),
    call("read_multiple_files", { paths: [...files, ...files] }),
    call("search_file_contents", { path: folder.path, pattern: "^", limit: 1_000_000, contextLines: 20 }),
    call("search_file_contents", { path: folder.at("heavy lines"), pattern: ".", limit: 1_000_000, contextLines: 20 }),
    call("search_file_contents", { path: folder.path, pattern: ".*\\n.*\\n", multiline: true, limit: 1_000_000, contextLines: 20 }),
    call("search_file_contents", {
      path: folder.at("heavy lines"),
      pattern: ".*\\n.*\\n",
      multiline: true,
      outputMode: "count",
      limit: 1_000_000,
    }),
    call("search_file_contents", { path: folder.path, pattern: "$", outputMode: "count", limit: 1_000_000 }),
    call("read_multiple_files", { paths: Array.from({ length: 1000 }, () => folder.at("plain")) }),
    call("read_multiple_files", { paths: Array.from({ length: 500 }, () => folder.at("heavy")) }),
    call("read_multiple_files", { paths: Array.from({ length: 500 }, () => folder.at("heavy after a line")) }),
    call("read_multiple_files", { paths: Array.from({ length: 500 }, () => folder.at("heavy lines")), tail: 1_000_000 }),
    call("read_multiple_files", { paths: Array.from({ length: 1000 }, (_, at) => `${folder.path}/${HEAVY.repeat(200)}${at}`) }),
    ...["long", "many"].flatMap((name) => [
      call("list_directory", { path: folder.at(name) }),
      call("list_directory_with_sizes", { path: folder.at(name), sortBy: "size" }),
      call("directory_tree", { path: folder.at(name), maxEntries: 1_000_000 }),
      call("search_files", { path: folder.at(name), pattern: "**", limit: 1_000_000 }),
      call("search_files", { path: folder.at(name), pattern: "**", limit: 1_000_000, sortBy: "time" }),
      call("delete_file", { path: folder.at(name), recursive: true, dryRun: true }),
      ["resources/read", { uri: `file://${folder.at(name)}` }] as [string, Json],
      ["prompts/get", { name: "explore_directory", arguments: { path: folder.at(name) } }] as [string, Json],
    ]),
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "explore_directory" }, argument: { name: "path", value: folder.at("long", "1") } },
    ],
    call("edit_file", {
      path: folder.at("plain"),
      dryRun: true,
      edits: [{ oldText: `${"x".repeat(99)}\n`, newText: `${HEAVY}\n`, replaceAll: true }],
    }),
    call("edit_file", {
      path: folder.at("plain"),
      dryRun: true,
      edits: [{ oldText: "x".repeat(99), newText: "y".repeat(200), replaceAll: true }],
    }),
    call("edit_file", { path: folder.at("plain"), dryRun: true, edits: [{ oldText: "no such text", newText: HEAVY.repeat(1_000_000) }] }),
    call("edit_file", { path: folder.at("plain"), edits: [{ oldText: HEAVY.repeat(600_000), newText: "" }] }),
  ];
}
