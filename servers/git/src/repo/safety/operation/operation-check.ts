// Checks the state files of a merge, rebase, cherry-pick or revert in progress before git continues it: some of them hold commands and options
// that git acts on. Each file is parsed as git parses it, and any word outside a list of known ones is refused.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../../errors.ts";
import { entryAt } from "../file-entry.ts";
import { isBuiltInStrategy, isStrategyOption } from "./merge-strategies.ts";
import { readConfigFile } from "../repository-config.ts";
import type { RepositoryState } from "../repository-state.ts";

const MAX_BYTES = 4 * 1024 * 1024;
const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Returns the first word that is not known; undefined where all are. */
type FindUnknown = (text: string) => string | undefined;

const oneOf =
  (form: RegExp): FindUnknown =>
  (text) =>
    form.test(text) ? undefined : text;

const OBJECT = oneOf(OBJECT_ID);
const REF = oneOf(/^(?:detached HEAD|refs\/(?!.*\.\.)\S+)$/);
const STRATEGY: FindUnknown = (text) => (isBuiltInStrategy(text) ? undefined : text);
const STRATEGY_OPTIONS: FindUnknown = (text) =>
  quotedWords(text).find((word) => !word.startsWith("--") || !isStrategyOption(word.slice(2)));
const SIGNING = oneOf(/^(?:-S.*|--no-gpg-sign)?$/);
const RERERE = oneOf(/^--(?:no-)?rerere-autoupdate$/);
/** The options that `git am` passes on to `git apply`, which knows some that write other files. */
const APPLY_OPTION =
  /^(?:--whitespace=[a-z-]+|--ignore-space-change|--ignore-whitespace|--reject|-[Cp]\d+|--(?:exclude|include|directory)=(?!\/|.*\.\.).*)$/;
const APPLY_OPTIONS: FindUnknown = (text) => quotedWords(text).find((word) => !APPLY_OPTION.test(word));

/** Commands of a rebase's plan besides those that run a program, with their short names. */
const PLAN_COMMANDS: ReadonlySet<string> = new Set(
  "pick p revert edit e reword r fixup f squash s break b label l reset t merge m update-ref u noop drop d".split(" "),
);
const PROGRAM_COMMANDS: ReadonlySet<string> = new Set(["exec", "x"]);
const PICK_COMMANDS: ReadonlySet<string> = new Set(["pick", "p", "revert"]);

const STATE_FILES: Readonly<Record<string, FindUnknown>> = {
  MERGE_MODE: oneOf(/^(?:no-ff)?$/),
  MERGE_AUTOSTASH: OBJECT,
  "sequencer/todo": (text) => planWords(text).find((word) => !PICK_COMMANDS.has(word)),
  "sequencer/head": OBJECT,
  "rebase-merge/git-rebase-todo": (text) => planWords(text).find((word) => !PLAN_COMMANDS.has(word) && !PROGRAM_COMMANDS.has(word)),
  "rebase-merge/update-refs": (text) => text.split("\n").find((line) => line !== "" && !OBJECT_ID.test(line) && REF(line) !== undefined),
  "rebase-merge/refs-to-delete": (text) => text.split("\n").find((line) => line !== "" && REF(line) !== undefined),
  "rebase-apply/apply-opt": APPLY_OPTIONS,
  ...Object.fromEntries(
    ["rebase-merge", "rebase-apply"].flatMap((folder) => [
      [`${folder}/strategy`, STRATEGY],
      [`${folder}/strategy_opts`, STRATEGY_OPTIONS],
      [`${folder}/gpg_sign_opt`, SIGNING],
      [`${folder}/allow_rerere_autoupdate`, RERERE],
      [`${folder}/autostash`, OBJECT],
      [`${folder}/head-name`, REF],
      [`${folder}/onto`, OBJECT],
      [`${folder}/orig-head`, OBJECT],
    ]),
  ),
};

const PICK_OPTIONS: ReadonlySet<string> = new Set(
  (
    "no-commit edit allow-empty allow-empty-message drop-redundant-commits keep-redundant-commits signoff record-origin allow-ff mainline " +
    "gpg-sign allow-rerere-auto default-msg-cleanup strategy strategy-option"
  )
    .split(" ")
    .map((name) => `options.${name}`),
);

/** The files of which git reads something when it goes back. What the others hold ends with them. */
const READ_BY_ABORT: Readonly<Record<"merge" | "rebase" | "cherry-pick" | "revert", RegExp>> = {
  merge: /^MERGE_AUTOSTASH$/,
  rebase: /^rebase-(?:merge|apply)\/(?!git-rebase-todo$|update-refs$|apply-opt$)/,
  "cherry-pick": /^sequencer\/(?:todo|head)$/,
  revert: /^sequencer\/(?:todo|head)$/,
};

/** Throws a {@link GitError} for an operation with a file that cannot be read whole, or with a word in it that is not known. */
export async function refuseUnknownOperation(
  git: string,
  { gitDir, isTrusted }: RepositoryState,
  { kind, step }: { readonly kind: keyof typeof READ_BY_ABORT; readonly step: "continue" | "skip" | "abort" },
  signal?: AbortSignal,
): Promise<void> {
  if (isTrusted) return;
  for (const [name, unknownIn] of Object.entries(STATE_FILES)) {
    if (step === "abort" && !READ_BY_ABORT[kind].test(name)) continue;
    const text = readStateFile(gitDir, name);
    const word = text === undefined ? undefined : unknownIn(text);
    if (word !== undefined) throw unknownWord(name, word);
  }
  if (step === "abort") return;
  await refuseUnknownPickOptions(git, gitDir, signal);
  const plan = readStateFile(gitDir, "rebase-merge/git-rebase-todo") ?? "";
  const program = planWords(plan).find((word) => PROGRAM_COMMANDS.has(word));
  if (program !== undefined)
    throw new GitError(
      "unsafe",
      `Refused: the plan of this rebase runs commands (${program}) in rebase-merge/git-rebase-todo. Finish it with git itself (git rebase --continue), or end it with step abort.`,
    );
}

async function refuseUnknownPickOptions(git: string, gitDir: string, signal?: AbortSignal): Promise<void> {
  const file = "sequencer/opts";
  if (readStateFile(gitDir, file) === undefined) return;
  for (const { key, value } of await readConfigFile(git, join(gitDir, file), signal, `file ${file} of the operation in progress`)) {
    if (!PICK_OPTIONS.has(key)) throw unknownWord(file, key);
    if (key === "options.strategy" && !isBuiltInStrategy(value)) throw unknownWord(file, value ?? key);
    if (key === "options.strategy-option" && !isStrategyOption(value)) throw unknownWord(file, value ?? key);
  }
}

/** The step that is left: only git itself ends such an operation. */
function endWithGit(file: string): string {
  const [folder = ""] = file.split("/");
  const command = { "rebase-merge": "git rebase", "rebase-apply": "git rebase or git am", sequencer: "git cherry-pick or git revert" }[
    folder
  ];
  return `Look at the file, then end the operation with git itself: ${command ?? "git merge"}, with --abort to go back or --continue.`;
}

const unknownWord = (file: string, word: string): GitError =>
  new GitError(
    "unsafe",
    `Refused: ${file} of the operation in progress holds "${clip(word.trim(), 60)}", which is not a known word there and could run something. ${endWithGit(file)}`,
  );

/** Without its last line break, as git reads it. Undefined where there is no such file. */
function readStateFile(gitDir: string, name: string): string | undefined {
  const path = join(gitDir, name);
  const stat = entryAt(path);
  if (stat === undefined) return undefined;
  if (!stat.isFile() || stat.size > MAX_BYTES)
    throw new GitError(
      "unsafe",
      `Refused: ${name} of the operation in progress is not a plain file of at most ${MAX_BYTES} bytes. ${endWithGit(name)}`,
    );
  return readFileSync(path, "utf8").replace(/\r?\n$/, "");
}

/** The first word of each line of a plan that is neither empty nor a remark. */
export const planWords = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.replace(/^[ \t]+/, ""))
    .filter((line) => line !== "" && !line.startsWith("\r") && !line.startsWith("#"))
    .map((line) => line.split(/[ \t\r]/, 1)[0] ?? "");

/** Words in single or double quotes or without; any other spelling stays one word, which is not known. */
const quotedWords = (text: string): string[] =>
  (text.trim().match(/'[^'\\]*'(?=\s|$)|"[^"\\]*"(?=\s|$)|[^'"\\\s]+(?=\s|$)|\S[^]*$/g) ?? []).map((word) =>
    word.replace(/^(['"])(.*)\1$/s, "$2"),
  );
