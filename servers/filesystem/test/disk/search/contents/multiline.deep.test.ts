// search_file_contents where matches may span lines, the same by the plain engine and by ripgrep with files on its stdin. Its fast test has ripgrep
// with files as arguments.
import { findRipgrep } from "../../../../src/disk/search/ripgrep/ripgrep-process.ts";
import { ripgrepEngine } from "../../../../src/disk/search/ripgrep/ripgrep-engine.ts";
import { plainEngine } from "../../../../src/disk/search/plain/plain-engine.ts";
import { testMultiline } from "./multiline.ts";

const binary = findRipgrep() ?? "the binary is not installed";

testMultiline([plainEngine, ripgrepEngine(binary, { filesByStdin: true })]);
