// search_file_contents where matches may span lines: the same from all engines.
import { findRipgrep } from "../../../../src/disk/search/ripgrep/ripgrep-process.ts";
import { ripgrepEngine } from "../../../../src/disk/search/ripgrep/ripgrep-engine.ts";
import { plainEngine } from "../../../../src/disk/search/plain/plain-engine.ts";
import { testMultiline } from "./multiline.ts";

const binary = findRipgrep() ?? "the binary is not installed";

testMultiline([ripgrepEngine(binary), plainEngine, ripgrepEngine(binary, { filesByStdin: true })]);
