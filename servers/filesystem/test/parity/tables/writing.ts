// write_file and create_directory.
import { linkTo, withMode } from "@oarlock/testing";
import { faulty, refused, refuses, same, sameButEscaped, says, type Call, type Row } from "../row.ts";

const CONTENTS = [
  "hello\n",
  "",
  "no final newline",
  "a\r\nb\r\n",
  "ünïcödé 日本 😀\n",
  "x".repeat(100_000),
  "nul\0inside",
  "\n",
  "\ufeffmark\n",
];
const NAMES = [
  "a b",
  "日本語.txt",
  "'q'",
  "#x",
  "%41",
  "~",
  "$HOME",
  "a\nb",
  ".hidden",
  "-dash",
  "e\u0301",
  "*.txt",
  "con",
  "a:b",
  "a\\b",
  "...",
  "x".repeat(255),
];

const write = (path: string, content: unknown = "new"): Call => ["write_file", { path: `{}/${path}`, content }];
const make = (path: string): Call => ["create_directory", { path: `{}/${path}` }];
const inGit = (path: string): string => `Writing to a .git directory is refused, because git runs programs that it names: {}/${path}`;

export const writing: readonly Row[] = [
  ...CONTENTS.flatMap((content, at) => [
    same(`a new file, content ${at}`, {}, write("new.txt", content)),
    same(`over a file, content ${at}`, { "f.txt": "old\n" }, write("f.txt", content)),
  ]),
  ...NAMES.map((name) =>
    sameButEscaped(`a file named ${JSON.stringify(name.slice(0, 20))}`, name, {}, write(name), `Successfully wrote to {}/${name}`),
  ),
  ...NAMES.map((name) =>
    sameButEscaped(
      `a directory named ${JSON.stringify(name.slice(0, 20))}`,
      name,
      {},
      make(name),
      `Successfully created directory {}/${name}`,
    ),
  ),
  ...[0o600, 0o644, 0o755, 0o444, 0o640, 0o777, 0o4755, 0o2755].map((mode) =>
    same(`over a file of mode ${mode.toString(8)}`, { f: withMode(mode, "old") }, write("f")),
  ),
  same("a file in a directory", { d: {} }, write("d/f")),
  same("through a link", { f: "x", l: linkTo("f") }, write("l")),
  same("through a linked directory", { d: { f: "x" }, l: linkTo("d") }, write("l/g")),
  same("by a relative path", {}, ["write_file", { path: "{name}/f", content: "x" }]),
  same("and reading it", {}, write("f", "a\nb\n"), ["read_text_file", { path: "{}/f" }], ["list_directory", { path: "{}" }]),
  same("twice", {}, write("f", "1"), write("f", "2")),
  refused(
    "below a directory that is missing",
    {},
    write("a/b/c.txt"),
    "Parent directory does not exist: {}/a/b. create_directory makes it.",
  ),
  refused("over a directory", { d: {} }, write("d"), "Expected a file, but this is a directory: {}/d"),
  refused("in a file", { f: "x" }, write("f/x"), "A part of the path is not a directory: {}/f/x"),
  refused(
    "a dangling link",
    { l: linkTo("nothing") },
    write("l"),
    "Dangling symbolic link: its target does not exist. Write to the target instead: {}/l",
  ),
  refused(
    "a dangling link that leads out",
    { l: linkTo("/nowhere/x") },
    write("l"),
    "Access denied - path outside allowed directories: {}/l",
  ),
  refused("a link that leads out", { l: linkTo("/etc/hostname") }, write("l"), "Access denied - path outside allowed directories: {}/l"),
  refused(
    "an absolute path outside",
    {},
    ["write_file", { path: "/nowhere/x", content: "x" }],
    "Access denied - path outside allowed directories: /nowhere/x",
  ),
  refused("a dot for a name", {}, write("."), "Expected a path that ends in a name below an allowed directory: {}/."),
  refused("an empty path", {}, ["write_file", { path: "", content: "x" }], "Empty path: expected a file or directory name."),
  refused("a name that is too long", {}, write("x".repeat(256)), /^Path too long, or one of its names: \{\}\/x+…$/),
  refused("no content", {}, ["write_file", { path: "{}/f" }], faulty("write_file", "content")),
  refused("a number for content", {}, write("f", 5), faulty("write_file", "content")),
  refuses("trailing-slash", "a file with a slash at the end", {}, write("f/"), "A file name cannot end in a slash: {}/f/"),
  refuses(
    "encodings",
    "half of a surrogate pair",
    { f: "old" },
    write("f", "\ud800"),
    "Invalid text: it has half of a surrogate pair, which UTF-8 cannot encode.",
    { f: "old" },
  ),
  refuses("git", "git's configuration", { ".git": { config: "x" } }, write(".git/config"), inGit(".git/config")),
  refuses(
    "git",
    "a hook of git",
    { sub: { ".git": { hooks: {} } } },
    write("sub/.git/hooks/pre-commit"),
    inGit("sub/.git/hooks/pre-commit"),
  ),
  same("git's own files beside it", { ".git": {} }, write(".gitignore")),
  says("exact-names", "a composed name beside a decomposed one", { "e\u0301": "old" }, write("\u00e9"), "Successfully wrote to {}/\u00e9", {
    "e\u0301": "old",
    "\u00e9": "new",
  }),

  says("byte-order-mark", "over a file with a mark", { f: "\ufeffold" }, write("f"), "Successfully wrote to {}/f", {
    f: "\xef\xbb\xbfnew",
  }),
  says(
    "encodings",
    "over a UTF-16 file",
    { f: Buffer.from("\ufeffold", "utf16le") },
    write("f"),
    "Successfully wrote to {}/f\nIt stays utf-16le.",
    {
      f: "\xff\xfen\0e\0w\0",
    },
  ),
  same("over a file with a mark, by text with one", { f: "\ufeffold" }, write("f", "\ufeffnew")),
  same("by a Windows path", {}, ["write_file", { path: "C:\\Users\\x", content: "x" }]),

  same("a directory", {}, make("d")),
  same("directories in each other", {}, make("a/b/c")),
  says("no-effect", "a directory twice", {}, [make("a/b"), make("a/b")], "Directory already exists: {}/a/b"),
  says("no-effect", "a directory that is there", { d: { f: "x" } }, make("d"), "Directory already exists: {}/d"),
  says("no-effect", "over a file of the same content", { f: "new" }, write("f"), /^No change: the file has exactly this content already/),
  same("a directory with a slash at the end", {}, make("d/")),
  same("a directory by a relative path", {}, ["create_directory", { path: "{name}/d/e" }]),
  same("directories of many scripts", {}, make("日本 語/é")),
  same("a directory below a link", { d: {}, l: linkTo("d") }, make("l/x")),
  says("no-effect", "a directory that is a link", { d: {}, l: linkTo("d") }, make("l"), "Directory already exists: {}/l"),
  says("no-effect", "the allowed directory itself", {}, ["create_directory", { path: "{}" }], "Directory already exists: {}"),
  refused("a directory over a file", { f: "x" }, make("f"), "Expected a directory, but this is a file: {}/f"),
  refused("a directory in a file", { f: "x" }, make("f/d"), "A part of the path is not a directory: {}/f/d"),
  refused("a directory over a dangling link", { l: linkTo("none") }, make("l"), "A part of the path exists and is not a directory: {}/l"),
  refused(
    "a directory outside",
    {},
    ["create_directory", { path: "/nowhere/d" }],
    "Access denied - path outside allowed directories: /nowhere/d",
  ),
  refused("a directory without a path", {}, ["create_directory", {}], faulty("create_directory", "path")),
  refuses(
    "dots",
    "a directory above one that is missing",
    {},
    make("a/../b"),
    "Cannot create a directory above one that does not exist: {}/a/../b",
  ),
  refuses("git", "a directory named .git", {}, make(".git"), inGit(".git")),
];
