// get_file_info and list_allowed_directories.
import { linkTo, withMode, type Tree } from "@oarlock/testing";
import { UNKNOWN, faulty, refused, refuses, same, says, type Call, type Row } from "../row.ts";

const TREE: Tree = {
  "f.txt": "hello\n",
  d: { a: "" },
  l: linkTo("f.txt"),
  dl: linkTo("d"),
  empty: "",
  "x.sh": withMode(0o755, "#!"),
  "日 本": "x",
  big: "x".repeat(3_000_000),
  bytes: Buffer.from([0, 1, 255]),
};
const info = (path: string): Call => ["get_file_info", { path: `{}/${path}` }];

export const facts: readonly Row[] = [
  ...["f.txt", "d", "d/", "d/.", "l", "dl", "dl/a", "empty", "x.sh", "日 本", "big", "bytes", "."].map((name) =>
    same(`the facts of ${name}`, TREE, info(name)),
  ),
  ...[0o600, 0o644, 0o755, 0o400, 0o007, 0o070, 0o1777, 0o4755, 0o000].map((mode) =>
    same(`the facts of mode ${mode.toString(8)}`, { f: withMode(mode, "x") }, info("f")),
  ),
  ...[0o700, 0o755, 0o1777].map((mode) =>
    same(`the facts of a directory of mode ${mode.toString(8)}`, { d: withMode(mode, {}) }, info("d")),
  ),
  same("the facts by a relative path", TREE, ["get_file_info", { path: "{name}/f.txt" }]),
  refused("the facts of what is missing", {}, info("none"), "No such file or directory: {}/none"),
  refused(
    "the facts of a dangling link",
    { l: linkTo("none") },
    info("l"),
    "No such file or directory: {}/l. It is a link to none, which does not exist",
  ),
  refused(
    "the facts of what is outside",
    {},
    ["get_file_info", { path: "/etc/passwd" }],
    "Access denied - path outside allowed directories: /etc/passwd",
  ),
  refused("the facts of nothing", {}, ["get_file_info", {}], faulty("get_file_info", "path")),
  refuses(
    "empty-text",
    "the facts of an empty path",
    {},
    ["get_file_info", { path: "" }],
    "Empty path: expected a file or directory name.",
  ),
  refuses(
    "trailing-slash",
    "the facts of a file with a slash at the end",
    { f: "" },
    info("f/"),
    "A part of the path is not a directory: {}/f/",
  ),
  refuses("tilde", "the home directory", {}, ["get_file_info", { path: "~" }], "No such file or directory: ~"),
  refuses("tilde", "a file in the home directory", {}, ["get_file_info", { path: "~/x" }], "No such file or directory: ~/x"),
  same("the allowed directories", {}, ["list_allowed_directories", {}]),
  says(
    "unknown-arguments",
    "the allowed directories, with an unknown argument",
    {},
    ["list_allowed_directories", { nonsense: true }],
    UNKNOWN,
  ),
];
