// Every way in that takes a path: tools with their options, resources, completion and prompts (rule G9: the same guard on each).
import type { Json } from "@oarlock/server-kit/protocol";
import { toReply } from "@oarlock/testing";
import type { Attacked } from "./attacked.ts";

export interface Outcome {
  readonly entrance: string;
  readonly text: string;
  /** An error, or an answer that holds nothing. */
  readonly refused: boolean;
}

interface Entrance {
  readonly name: string;
  /** It looks at something that exists, or may make something new. */
  readonly writes: boolean;
  /** The path is given as a file address. */
  readonly byUri?: true;
  enter(attacked: Attacked, path: string): Promise<Omit<Outcome, "entrance">>;
}

type MakeArgs = (path: string, attacked: Attacked) => Json;

const tool = (name: string, args: MakeArgs, writes = false, label = name): Entrance => ({
  name: label,
  writes,
  async enter(attacked, path) {
    const { text, failed } = await attacked.reply(name, args(path, attacked));
    return { text, refused: failed };
  },
});

const edits = [{ oldText: "canary", newText: "x" }];

export const ENTRANCES: readonly Entrance[] = [
  tool("read_text_file", (path) => ({ path })),
  tool("read_file", (path) => ({ path })),
  tool("read_text_file", (path) => ({ path, head: 1 }), false, "read_text_file head"),
  tool("read_text_file", (path) => ({ path, tail: 1 }), false, "read_text_file tail"),
  tool("read_text_file", (path) => ({ path, offset: 1, limit: 1, encoding: "latin1" }), false, "read_text_file range"),
  {
    name: "read_multiple_files",
    writes: false,
    async enter(attacked, path) {
      const plain = attacked.at("plain.txt");
      const { text, failed } = await attacked.reply("read_multiple_files", { paths: [path, plain] });
      // One that is refused does not stop the other.
      const refused = failed || (text.includes(": Error - ") && text.endsWith(`\n---\n${plain}:\nplain\n\n`));
      return { text: text.replace(/^[^]*?: Error - /, "").split("\n---\n")[0] ?? "", refused };
    },
  },
  tool("read_media_file", (path) => ({ path })),
  tool("get_file_info", (path) => ({ path })),
  tool("list_directory", (path) => ({ path })),
  tool("list_directory_with_sizes", (path) => ({ path, sortBy: "size" })),
  tool("directory_tree", (path) => ({ path })),
  tool("search_files", (path) => ({ path, pattern: "**" })),
  tool("search_file_contents", (path) => ({ path, pattern: "." })),
  tool("write_file", (path) => ({ path, content: "x" }), true),
  tool("write_file", (path) => ({ path, content: "x", mode: "append" }), true, "write_file append"),
  tool("write_file", (path) => ({ path, content: "x", mode: "create" }), true, "write_file create"),
  tool("write_file", (path) => ({ path, content: "x", createDirectories: true }), true, "write_file createDirectories"),
  tool("edit_file", (path) => ({ path, edits })),
  tool("edit_file", (path) => ({ path, edits, dryRun: true }), false, "edit_file dryRun"),
  tool("create_directory", (path) => ({ path }), true),
  tool("create_directory", (path) => ({ path: `${path}/a/b` }), true, "create_directory below"),
  tool("move_file", (path, attacked) => ({ source: path, destination: attacked.at("stolen.txt") }), false, "move_file from"),
  tool("move_file", (path, attacked) => ({ source: attacked.at("plain.txt"), destination: path }), true, "move_file to"),
  tool("move_file", (path, attacked) => ({ source: attacked.at("plain.txt"), destination: path, overwrite: true }), true, "move_file over"),
  tool(
    "copy_file",
    (path, attacked) => ({ source: path, destination: attacked.at("stolen.txt"), recursive: true }),
    false,
    "copy_file from",
  ),
  tool("copy_file", (path, attacked) => ({ source: attacked.at("plain.txt"), destination: path }), true, "copy_file to"),
  tool("copy_file", (path, attacked) => ({ source: attacked.at("plain.txt"), destination: path, overwrite: true }), true, "copy_file over"),
  tool("delete_file", (path) => ({ path, recursive: true, dryRun: true }), false, "delete_file dryRun"),
  tool("delete_file", (path) => ({ path, recursive: true })),
  tool("search_files", (path) => ({ path, pattern: "**", respectGitignore: true, sortBy: "time" }), false, "search_files newest"),
  tool("directory_tree", (path) => ({ path, respectGitignore: true }), false, "directory_tree respectGitignore"),
  prompt("explore_directory", (path) => ({ path })),
  prompt("find_and_replace", (path) => ({ path, find: "a", replace: "b" })),
  complete("resource", { type: "ref/resource", uri: "file:///{+path}" }),
  complete("explore_directory", { type: "ref/prompt", name: "explore_directory" }),
  complete("find_and_replace", { type: "ref/prompt", name: "find_and_replace" }),
  byUri("resources/read"),
  byUri("resources/subscribe"),
];

function prompt(name: string, args: MakeArgs): Entrance {
  return {
    name: `prompt ${name}`,
    writes: false,
    async enter(attacked, path) {
      const { error, result } = await attacked.request("prompts/get", { name, arguments: args(path, attacked) });
      return error === undefined
        ? { text: JSON.stringify(result), refused: false }
        : { text: (error as { message: string }).message, refused: true };
    },
  };
}

function complete(label: string, ref: Json): Entrance {
  return {
    name: `completion ${label}`,
    writes: false,
    async enter(attacked, path) {
      const replyText = await Promise.all(
        [path, `${path}/`, path.slice(0, -1)].map(async (value) => {
          const { result } = await attacked.request("completion/complete", { ref, argument: { name: "path", value } });
          return (result as { completion?: { values: string[] } } | undefined)?.completion?.values ?? [];
        }),
      );
      // Names of OUT would be answers; those of ROOT are none, be they links.
      const received = replyText.flat().filter((value) => /secret|deep|created|\bsub\b/.test(value));
      return { text: received.join("\n"), refused: received.length === 0 };
    },
  };
}

function byUri(method: string): Entrance {
  return {
    name: method,
    writes: false,
    byUri: true,
    async enter(attacked, path) {
      const uri = /^[a-z]+:/i.test(path)
        ? path
        : `file://${path.startsWith("/") ? "" : `${attacked.root}/`}${path.split("/").map(encodeURIComponent).join("/")}`;
      const answer = await attacked.request(method, { uri });
      if (method === "resources/subscribe") await attacked.request("resources/unsubscribe", { uri });
      const { text, failed } = toReply(answer);
      return { text, refused: failed };
    },
  };
}

/** Tries a path on every entrance that `fits`. */
export async function tryAll(attacked: Attacked, path: string, fits: (entrance: Entrance) => boolean = () => true): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const entrance of ENTRANCES)
    if (fits(entrance)) outcomes.push({ entrance: entrance.name, ...(await entrance.enter(attacked, path)) });
  return outcomes;
}
