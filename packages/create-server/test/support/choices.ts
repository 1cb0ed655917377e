// Every choice of parts of the template.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PARTS, selectParts, type Part } from "../../src/template-parts.ts";
import { home } from "./repository.ts";

export const TEMPLATE = join(home, "template");
export const CHOICES = Array.from({ length: 7 }, (_, at) => PARTS.filter((_part, bit) => ((at + 1) >> bit) % 2 === 1));
export const TEXTS = ["README.md", "src/server.ts", "src/server.test.ts"];

export const cut = (path: string, parts: readonly Part[]): string => selectParts(readFileSync(join(TEMPLATE, path), "utf8"), parts);
