// Hostile values of text arguments, and every argument of every tool that takes text.
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import type { TestRepository } from "../support/repository.ts";
import type { AttackGround } from "./attack-ground.ts";
import { ENTRY_POINTS, toolsOf, type AttackedServer } from "./entry-points.ts";

/** Arguments with free text or paths: they may begin with a dash and have any content. */
export const FREE = new Set(["message", "files", "paths", "path", "cursor"]);

export const dashes = ({ executionMark: mark, out }: AttackGround): string[] => [
  "-p",
  `-O${mark}`,
  "-O/bin/x",
  "-c",
  "--exec=x",
  "--no-index",
  "--ext-diff",
  "--upload-pack=x",
  `--git-dir=${out}/repo/.git`,
  `--contents=${out}/secret.txt`,
  `--output=${mark}`,
  `--outp=${mark}`,
  "--upl=x",
  "-uOx",
  "--no-inde",
  "--all",
  "--stdin",
  "--",
  "-",
  "--help",
  `--open-files-in-pager=touch ${mark}`,
  `-f${out}/secret.txt`,
  `--file=${out}/secret.txt`,
  `--pathspec-from-file=${out}/secret.txt`,
  `--template=${out}`,
];

export const hidden = ({ executionMark: mark }: AttackGround): string[] => [
  `HEAD --output=${mark}`,
  `HEAD\n--output=${mark}`,
  "HEAD\t-p",
  "HEAD\u0000-p",
  `HEAD\r\n--output=${mark}`,
  `HEAD\u2028--output=${mark}`,
  `main\n`,
  `\u0000`,
  `--output=${mark}\nHEAD`,
  ` --output=${mark}`,
  `HEAD..--output=${mark}`,
  `--output=${mark}..HEAD`,
  `HEAD...-p`,
  `^--output=${mark}`,
  `@{--output=${mark}}`,
  `$(touch ${mark})`,
  `\`touch ${mark}\``,
  `;touch ${mark}`,
  `|touch ${mark}`,
  `"; touch ${mark}; "`,
];

export interface Place {
  readonly tool: string;
  readonly argument: string;
  /** The arguments with `value` in this place. */
  with(value: string): Json;
}

/** Every argument of every tool that takes text, or a list of texts. */
export async function placesOf(server: AttackedServer, repo: string): Promise<Place[]> {
  const tools = await toolsOf(server);
  return tools.flatMap(({ name, inputSchema }) => {
    const properties = isObject(inputSchema) && isObject(inputSchema["properties"]) ? inputSchema["properties"] : {};
    const base = baseOf(String(name), repo);
    return Object.entries(properties).flatMap(([argument, schema]): Place[] => {
      if (!isObject(schema) || schema["enum"] !== undefined) return [];
      const isList = schema["type"] === "array";
      if (schema["type"] !== "string" && !isList) return [];
      return base.map((args) => ({
        tool: String(name),
        argument,
        with: (value) => ({ repo_path: repo, ...args, [argument]: isList ? [value] : value }),
      }));
    });
  });
}

/** Calls that are right but for what is put into them, one an act of the tool. */
function baseOf(tool: string, repo: string): Json[] {
  const seen = new Map<unknown, Json>();
  for (const [name, args] of callsOf(repo)) if (name === tool && !seen.has(args["action"])) seen.set(args["action"], args);
  return [...seen.values()];
}

const callsOf = (repo: string): (readonly [string, Json])[] =>
  ENTRY_POINTS.flatMap(({ tool, args }) => (tool === undefined || args === undefined ? [] : [[tool, args(repo)] as const]));

/** A file of every kind of name that could be taken for something else. */
export function tricky(own: AttackGround, name = "r"): TestRepository {
  const repo = own.repository(name, {
    "f.txt": "one\n",
    "-A": "dash\n",
    "--pathspec-from-file=x": "from\n",
    ":(top)x": "magic\n",
    "*.c": "star\n",
    "a.c": "c\n",
    "[ab].c": "class\n",
  });
  repo.git("branch", "stress");
  return repo;
}
