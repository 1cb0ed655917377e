// The forms of a replacement: the query, and what makes the new text of a file.

export interface ReplaceQuery {
  /** What to find. */
  readonly pattern: string;
  readonly replacement: string;
  /** `pattern` is a regular expression, and `$1` or `$name` in the replacement is a group of it. Default: both are plain text. */
  readonly regex: boolean;
  /** Only matches that no letter, digit or underscore touches. */
  readonly wholeWord: boolean;
  readonly caseSensitive: boolean;
}

export interface Replaced {
  readonly text: string;
  readonly replacements: number;
}

export type Replacer = (text: string, signal?: AbortSignal) => Promise<Replaced>;
