// Loads tree-sitter and its grammars, WebAssembly without native code, from an optional package that is installed beside the server.
import { createRequire } from "node:module";
import type * as TreeSitter from "@vscode/tree-sitter-wasm";
import { systemErrorCode } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";
import type { Language } from "./languages.ts";

const PACKAGE = "@vscode/tree-sitter-wasm";
export const INSTALL = `${PACKAGE}@0.3.1`;

type Grammar = TreeSitter.Language;

export interface LoadedGrammar {
  readonly Parser: typeof TreeSitter.Parser;
  readonly grammar: Grammar;
}

/** The package is CommonJS and has its grammars as files. */
const load = createRequire(import.meta.url);
const grammars = new Map<string, Promise<Grammar>>();
let library: Promise<typeof TreeSitter> | undefined;

/** Throws where the package is not installed. */
export async function loadGrammar({ grammar }: Language, packageName = PACKAGE): Promise<LoadedGrammar> {
  const { Parser, Language } = await (library ??= initialized(packageName).catch((error: unknown) => {
    library = undefined; // it may be installed later
    throw error;
  }));
  let loaded = grammars.get(grammar);
  if (loaded === undefined) {
    loaded = Language.load(load.resolve(`${packageName}/wasm/tree-sitter-${grammar}.wasm`));
    grammars.set(grammar, loaded);
  }
  return { Parser, grammar: await loaded };
}

async function initialized(packageName: string): Promise<typeof TreeSitter> {
  try {
    const found = load(packageName) as typeof TreeSitter; // as its declarations say
    await found.Parser.init();
    return found;
  } catch (error) {
    if (systemErrorCode(error) !== "MODULE_NOT_FOUND") throw error;
    throw new DiskError(
      "invalid",
      `Outlines need the package ${PACKAGE}, which is not installed beside the server. Run: npm install ${INSTALL}`,
    );
  }
}
