// The languages that search knows. The first one is that of words that could be of several.
import { ENGLISH } from "./english.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import type { Language } from "./language.ts";

export const LANGUAGES: readonly Language[] = [ENGLISH, GERMAN, FRENCH];
