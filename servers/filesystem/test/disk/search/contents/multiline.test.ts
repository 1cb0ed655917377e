// search_file_contents where matches may span lines, by ripgrep.
import { findRipgrep } from "../../../../src/disk/search/ripgrep/ripgrep-process.ts";
import { ripgrepEngine } from "../../../../src/disk/search/ripgrep/ripgrep-engine.ts";
import { testMultiline } from "./multiline.ts";

testMultiline([ripgrepEngine(findRipgrep() ?? "the binary is not installed")]);
