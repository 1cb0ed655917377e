// move_file.
import { linkTo, withMode } from "@oarlock/testing";
import { does, faulty, refused, refuses, same, sameButEscaped, says, type Call, type Row } from "../row.ts";

const move = (source: string, destination: string): Call => ["move_file", { source: `{}/${source}`, destination: `{}/${destination}` }];
const moved = (source: string, destination: string): string => `Successfully moved {}/${source} to {}/${destination}`;
const NAMES = ["a b", "日 本", "'q'", "%41", "~", ".hidden", "e\u0301", "*", "a\nb", "-x", "x".repeat(255)];

export const moving: readonly Row[] = [
  same("a file", { a: "1" }, move("a", "b")),
  same("a file into a directory", { a: "1", d: {} }, move("a", "d/a")),
  same("a file up", { d: { a: "1" } }, move("d/a", "a")),
  same("a directory", { d: { x: "1", y: { z: "2" } } }, move("d", "e")),
  same("a directory into another", { d: { x: "1" }, e: {} }, move("d", "e/d")),
  same("an empty directory", { d: {} }, move("d", "e")),
  same("a directory with a slash at the end", { d: {} }, move("d/", "e/")),
  same("a file keeps its mode", { a: withMode(0o750, "1") }, move("a", "b")),
  same("a directory keeps its mode", { d: withMode(0o700, { x: "1" }) }, move("d", "e")),
  same("to another case", { a: "1" }, move("a", "A")),
  same("through a linked directory", { d: { f: "1" }, l: linkTo("d") }, move("l/f", "g")),
  same("into a linked directory", { d: {}, l: linkTo("d"), f: "1" }, move("f", "l/f")),
  same("by relative paths", { a: "1" }, ["move_file", { source: "{name}/a", destination: "{name}/b" }]),
  same("in a round", { a: "1" }, move("a", "b"), move("b", "c"), move("c", "a")),
  same("and reading it", { a: "1", d: {} }, move("a", "d/b"), ["read_text_file", { path: "{}/d/b" }], ["list_directory", { path: "{}" }]),
  ...NAMES.map((name) =>
    sameButEscaped(`to ${JSON.stringify(name.slice(0, 20))}`, name, { a: "1" }, move("a", name), `Successfully moved {}/a to {}/${name}`),
  ),
  ...NAMES.map((name) =>
    sameButEscaped(
      `from ${JSON.stringify(name.slice(0, 20))}`,
      name,
      { [name]: "1" },
      move(name, "b"),
      `Successfully moved {}/${name} to {}/b`,
    ),
  ),

  same("onto a file", { a: "1", b: "2" }, move("a", "b")),
  same("onto a directory", { a: "1", b: {} }, move("a", "b")),
  same("a directory onto an empty one", { a: { x: "1" }, b: {} }, move("a", "b")),
  same("a directory onto a file", { a: { x: "1" }, b: "1" }, move("a", "b")),
  refused("onto itself", { a: "1" }, move("a", "a"), "Destination is the source itself: {}/a. Name another destination."),
  refused("onto a link", { a: "1", b: "2", l: linkTo("b") }, move("a", "l"), "Destination already exists: {}/l"),
  refused("onto a dangling link", { a: "1", l: linkTo("none") }, move("a", "l"), "Destination already exists: {}/l"),
  refused("what is missing", {}, move("a", "b"), "No such file or directory: {}/a"),
  does(
    "missing-directories",
    "below a directory that is missing",
    { a: "1" },
    move("a", "x/b"),
    "Successfully moved {}/a to {}/x/b\nMade the directory {}/x.",
    {
      "x/b": "1",
    },
  ),
  refused("a directory into itself", { d: {} }, move("d", "d/e"), "A directory cannot be moved into itself: {}/d/e"),
  refused(
    "from outside",
    {},
    ["move_file", { source: "/etc/hostname", destination: "{}/b" }],
    "Access denied - path outside allowed directories: /etc/hostname",
  ),
  refused(
    "to outside",
    { a: "1" },
    ["move_file", { source: "{}/a", destination: "/nowhere/b" }],
    "Access denied - path outside allowed directories: /nowhere/b",
  ),
  refused(
    "a link that leads out",
    { l: linkTo("/etc/hostname") },
    move("l", "m"),
    "Access denied - path outside allowed directories: {}/l",
  ),
  refused("without a destination", { a: "1" }, ["move_file", { source: "{}/a" }], faulty("move_file", "destination")),

  says("moved-links", "a link", { f: "1", l: linkTo("f") }, move("l", "m"), moved("l", "m"), { f: "1" }),
  says("moved-links", "a link to a directory", { d: { f: "1" }, l: linkTo("d") }, move("l", "m"), moved("l", "m"), { "d/f": "1" }),
  does("moved-links", "a dangling link", { l: linkTo("none") }, move("l", "m"), moved("l", "m")),
  refuses(
    "trailing-slash",
    "a file to a name with a slash at the end",
    { a: "1" },
    move("a", "b/"),
    "A path that ends in a slash must be a directory: {}/b/. To put the source into the directory, name {}/b/a",
    { a: "1" },
  ),
  refuses(
    "git",
    "a file into .git",
    { a: "1", ".git": {} },
    move("a", ".git/hooks"),
    "Writing to a .git directory is refused, because git runs programs that it names: {}/.git/hooks",
    { a: "1" },
  ),
];
