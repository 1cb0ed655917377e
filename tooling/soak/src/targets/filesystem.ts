/** Files that are read, written, searched and watched. */
import { randomUUID } from "node:crypto";
import { pathToFileURL } from "node:url";
import { cancelled, watched } from "../load/kit.ts";
import { fails, must, succeeds } from "../load/expect.ts";
import type { Domain } from "./domain.ts";

const FILES = 300;

export const filesystem: Domain = {
  name: "filesystem",
  prepare(folder) {
    for (let at = 0; at < FILES; at++) {
      folder.write({ [`d${at % 10}/f${at}.txt`]: Array.from({ length: 50 }, (_, line) => `line ${line} of ${at}`).join("\n") });
    }
    folder.write({ "large.txt": "some text that is long\n".repeat(40_000), watched: { "a.txt": "first" } });
    return ["--allow-delete", "--no-trash", folder.path];
  },
  call: (folder) => ({ name: "directory_tree", args: { path: folder.path } }),
  works: (folder) => ({
    read: async (client) =>
      must((await succeeds(client.call("read_text_file", { path: folder.at("d1/f1.txt") }))).includes("line 3"), "no text"),
    "read much": async (client) => void (await succeeds(client.call("read_text_file", { path: folder.at("large.txt") }))),
    several: async (client) =>
      void (await succeeds(client.call("read_multiple_files", { paths: [1, 11, 21].map((at) => folder.at(`d1/f${at}.txt`)) }))),
    list: async (client) => void (await succeeds(client.call("list_directory", { path: folder.at("d2") }))),
    tree: async (client) => must((await succeeds(client.call("directory_tree", { path: folder.path }))).includes("f299"), "no tree"),
    find: async (client) => void (await succeeds(client.call("search_files", { path: folder.path, pattern: "**/f12*.txt" }))),
    grep: async (client) =>
      must(
        (await succeeds(client.call("search_file_contents", { path: folder.path, pattern: "line 7 of 1\\d" }))).includes("line 7"),
        "none found",
      ),
    "grep, cancelled": (client) => cancelled(client, "search_file_contents", { path: folder.path, pattern: "line" }, 1),
    info: async (client) => void (await succeeds(client.call("get_file_info", { path: folder.at("large.txt") }))),
    "write, edit, move, delete": async (client) => {
      const [path, other] = [folder.at(`${randomUUID()}.txt`), folder.at(`${randomUUID()}.txt`)];
      await succeeds(client.call("write_file", { path, content: "one\ntwo\nthree\n" }));
      await succeeds(client.call("edit_file", { path, edits: [{ oldText: "two", newText: "2" }] }));
      await succeeds(client.call("move_file", { source: path, destination: other }));
      await succeeds(client.call("delete_file", { path: other }));
    },
    "folder copied and deleted": async (client) => {
      const destination = folder.at(randomUUID());
      await succeeds(client.call("copy_file", { source: folder.at("d3"), destination, recursive: true }));
      await succeeds(client.call("delete_file", { path: destination, recursive: true }));
    },
    watched: async (client) => {
      const path = folder.at(`watched/${randomUUID()}.txt`);
      await succeeds(client.call("write_file", { path, content: "before" }));
      await watched(client, pathToFileURL(path).href, () =>
        succeeds(client.call("write_file", { path, content: "after, which is longer" })),
      );
      await succeeds(client.call("delete_file", { path }));
    },
    resource: async (client) => void (await client.read(pathToFileURL(folder.at("d1/f1.txt")).href)),
    "not allowed": (client) => fails(client.call("read_text_file", { path: "/etc/passwd" })),
    "not there": (client) => fails(client.call("read_text_file", { path: folder.at("nowhere.txt") })),
  }),
};
