/**
 * The lines that ask for the platform of this machine. Only `platform.ts` of a package may, and tests: elsewhere the platform is a parameter, so
 * that fast tests on every machine give both answers.
 */
import type { Sources } from "./sources.ts";

const SEAM = /^[^/]+\/[^/]+\/(?:src\/)?platform\.m?[jt]s$/;

const READERS: readonly RegExp[] = [
  /\bprocess(?:\?\.|\.)platform\b/,
  /\bprocess\[["'`]platform["'`]\]/,
  /\bplatform\b[^{}]*\}\s*=\s*process\b/,
  /\bos\.(?:platform|type)\(/,
  /\bimport\b[^;]*\bplatform\b[^;]*\bfrom "(?:node:)?(?:os|process)"/,
];

const COMMENT = /^\s*(?:\*|\/\/|\/\*)/;

/** `path:line` of each reader. */
export const platformReaders = (sources: Sources): string[] =>
  Object.entries(sources)
    .filter(([path]) => !SEAM.test(path))
    .flatMap(([path, text]) =>
      text
        .split("\n")
        .flatMap((line, at) => (!COMMENT.test(line) && READERS.some((reader) => reader.test(line)) ? [`${path}:${at + 1}`] : [])),
    );
