// A Dockerfile as stages of instructions.
import { DockerfileParser, ModifiableInstruction } from "dockerfile-ast";

export interface Instruction {
  readonly keyword: string;
  /** `--from=install` is `from: "install"`. */
  readonly flags: Readonly<Record<string, string>>;
  /** What follows keyword and flags. */
  readonly text: string;
}

export interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

export function stagesOf(dockerfile: string): Stage[] {
  const stages: { base: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    const flags = instruction instanceof ModifiableInstruction ? instruction.getFlags() : [];
    const keyword = instruction.getKeyword();
    const text = instruction.getArgumentsContent() ?? "";
    if (keyword === "FROM") {
      const [base = "", , name] = text.split(/\s+/);
      stages.push({ base, name, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`${keyword} stands before FROM.`);
    stage.instructions.push({ keyword, text, flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ""])) });
  }
  return stages;
}

/** The words of an instruction in JSON form. */
export function argumentsIn(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) throw new Error(`Expected a JSON list of words: ${text}`);
  return words;
}

/** Puts values in place of `${NAME}` and `$NAME`. */
export const substitute = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\{(\w+)\}|\$(\w+)/g, (_all, braced: string, bare: string) => values[braced ?? bare] ?? "");
