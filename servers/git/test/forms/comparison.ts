// One comparison of a tool with git, and the shapes in which both answers are compared.
import type { Json } from "@oarlock/server-kit/protocol";
import { decodeText, nameToText } from "../../src/repo/text/file-names.ts";
import { splitRecords } from "../../src/repo/process/nul-records.ts";

/** What a repository offers for the arguments. */
export interface Facts {
  /** A text file of HEAD, escaped as tools show it, and as bytes for git. */
  readonly file: string | undefined;
  readonly bytes: Buffer | undefined;
  /** A first commit, and a file that came later. */
  readonly root: string | undefined;
  readonly late: Buffer | undefined;
  readonly hasHead: boolean;
  readonly hasParent: boolean;
  readonly isBare: boolean;
  /** git itself enters submodules by `.gitmodules`, and fails where it is broken; the server does not read it. */
  readonly hasBrokenModules: boolean;
}

export interface Comparison {
  readonly title: string;
  readonly tool: string;
  /** Undefined where it cannot be asked of this repository. */
  args(facts: Facts): Json | undefined;
  git(facts: Facts): (string | Buffer)[];
  /** `data`: what the tool answered, for what it leaves out and names. */
  ofGit(output: Buffer, data: Json): unknown;
  ofTool(data: Json, text: string): unknown;
}

export type Entry = Readonly<Record<string, unknown>>;
export const list = (value: unknown): Entry[] => (Array.isArray(value) ? (value as Entry[]) : []);
export const records = (output: Buffer): string[] => splitRecords(output).map(decodeText);
export const names = (output: Buffer): string[] => splitRecords(output).map(nameToText);
export const linesOf = (output: Buffer): string[] =>
  decodeText(output)
    .split("\n")
    .filter((line) => line !== "");
/** Lines of a list of refs, whose names are bytes. */
export const refLines = (output: Buffer): string[] =>
  output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => nameToText(Buffer.from(line, "latin1")));
/** The refs that git lists, without those that the tool names as broken. */
export function withoutBroken(output: Buffer, { broken }: Json): string[] {
  const named = new Set(Array.isArray(broken) ? broken : []);
  return refLines(output)
    .filter((ref) => !named.has(ref))
    .sort();
}
export const withoutUnmerged = (patch: string): string => patch.replaceAll(/^\* Unmerged path [^\n]*\n?/gm, "").trim();
export const always = (args: Json) => (): Json => args;
export const ofFile =
  (args: Json) =>
  ({ file }: Facts): Json | undefined =>
    file === undefined ? undefined : { ...args, ...(args["path"] === "" ? { path: file } : { paths: [file] }) };
