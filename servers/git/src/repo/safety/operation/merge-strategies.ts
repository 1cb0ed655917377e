// Merge strategies and their options that git answers itself. For any other strategy git starts a program, or an alias, of that name.

const STRATEGIES: ReadonlySet<string> = new Set(["ort", "recursive", "resolve", "octopus", "ours", "subtree"]);

const STRATEGY_OPTION =
  /^(?:ours|theirs|patience|minimal|histogram|diff-algorithm=[a-z]+|ignore-(?:space-change|all-space|space-at-eol|cr-at-eol)|(?:no-)?renormalize|no-renames|find-renames(?:=[\d.]+%?)?|rename-threshold=[\d.]+%?|subtree(?:=[^-\s'"\\][^\s'"\\]*)?)$/;

export const isBuiltInStrategy = (name: string | undefined): boolean => name !== undefined && STRATEGIES.has(name);

/** `option`: without the dashes. Some strategies pass options on to other commands, where another word means something else. */
export const isStrategyOption = (option: string | undefined): boolean => option !== undefined && STRATEGY_OPTION.test(option);
