// The languages that search knows.
import { ENGLISH } from "./english.ts";
import type { Language } from "./language.ts";

export const LANGUAGES: readonly Language[] = [ENGLISH];
