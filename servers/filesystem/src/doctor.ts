// Checks of `oarlock-filesystem doctor`: the directories, the trash and ripgrep.
import { checkFolder, failed, passed, runProgram, type Check } from "@oarlock/cli/doctor";
import { parseDirectory } from "./directory-argument.ts";
import { findRipgrep } from "./disk/search/ripgrep/ripgrep-process.ts";
import { platform } from "./platform.ts";

export interface CheckedOptions {
  readonly directories: readonly string[];
  readonly readOnly: boolean;
  readonly roots: string;
  /** Undefined without a trash. */
  readonly trash: string | undefined;
}

/** Nothing is changed on disk. */
export function checkMachine({ directories, readOnly, roots, trash }: CheckedOptions): Check[] {
  return [
    ...directories.map((argument) => {
      const directory = parseDirectory(argument);
      return checkFolder("directory", directory.path, { write: !readOnly && !directory.readOnly });
    }),
    checkRoots(directories.length, roots),
    ...(trash === undefined || readOnly ? [] : [checkFolder("trash", trash, { write: true, mayBeMissing: true })]),
    checkRipgrep(),
  ];
}

/** A client's roots are known only while it is connected. */
function checkRoots(count: number, roots: string): Check {
  if (count > 0)
    return passed("roots", roots === "ignore" ? "The client's folders are ignored." : `The client's folders ${roots} these directories.`);
  if (roots === "ignore")
    return failed(
      "roots",
      "No directory is named and the client's folders are ignored: nothing is served.",
      "Name a directory, or remove --roots ignore.",
    );
  return passed(
    "roots",
    "No directory is named here: what the client lists as its folders (roots) is served, and nothing if it lists none.",
  );
}

function checkRipgrep(): Check {
  const name = "ripgrep";
  const binary = findRipgrep();
  const remedy = "Install the server anew with optional dependencies (npm install --include=optional). Until then a slower search is used.";
  if (binary === undefined) return failed(name, `ripgrep for ${platform}-${process.arch} is not installed.`, remedy);
  const run = runProgram(binary, ["--version"]);
  return "output" in run ? passed(name, `${run.output}.`) : failed(name, `ripgrep does not run: ${run.reason}.`, remedy);
}
