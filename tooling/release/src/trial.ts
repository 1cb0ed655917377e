/** How each server is tried once it is installed: what it is started with, and a call with its answer. */
import type { TempFolder } from "@oarlock/testing";

export interface Trial {
  /** Words of the command line, in a folder made for this. */
  args(folder: TempFolder): string[];
  readonly call: { readonly name: string; args(folder: TempFolder): Record<string, unknown>; readonly text: string };
  /** Values for arguments, by their names, so that most calls have something to do. */
  words(folder: TempFolder, tool: string): Record<string, unknown>;
  /** The most packages that an installation may have, itself included, and the most bytes. */
  readonly packages: number;
  readonly bytes: number;
}

const MIB = 1024 * 1024;

export const TRIALS: Readonly<Record<string, Trial>> = {
  filesystem: {
    args: (folder) => {
      folder.write({ "hello.txt": "Hello from a file" });
      return [folder.path];
    },
    call: { name: "read_text_file", args: (folder) => ({ path: folder.at("hello.txt") }), text: "Hello from a file" },
    words: (folder, tool) => ({
      path: /director|search/.test(tool) ? folder.path : folder.at("hello.txt"),
      paths: [folder.at("hello.txt")],
      source: folder.at("hello.txt"),
      destination: folder.at("copy.txt"),
      pattern: "from*",
      edits: [{ oldText: "Hello", newText: "Good day" }],
    }),
    packages: 15,
    bytes: 24 * MIB,
  },
};
