// JSON object: where the members of an object, or the items of a list, stand in a text that may have comments and trailing commas. The text must be valid: its JSON has
// been parsed before. Own code, as jsonc-parser has no form that both Node and a bundler load.

export interface Member {
  readonly name: string;
  /** Of the quote of the name. */
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

export interface JsonObject {
  /** Of the braces. */
  readonly start: number;
  readonly end: number;
  readonly members: readonly Member[];
}

/** A string, a bracket, or any other token of JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** The object that begins at or after `from`; undefined where something else does. `json`: without comments and trailing commas. */
export const objectAt = (json: string, from: number): JsonObject | undefined => containerAt(json, from, "{");

/** The same for a list, whose items are members without a name. */
export const listAt = (json: string, from: number): JsonObject | undefined => containerAt(json, from, "[");

function containerAt(json: string, from: number, opening: "{" | "["): JsonObject | undefined {
  const tokens = json.slice(from).matchAll(TOKEN);
  const first = tokens.next().value;
  if (first?.[0] !== opening) return undefined;
  const [closing, isList] = opening === "{" ? ["}", false] : ["]", true];
  const members: Member[] = [];
  let depth = 1;
  let name: { text: string; start: number } | undefined;
  let valueStart: number | undefined;
  let lastEnd = 0;
  const close = (): void => {
    if (name !== undefined && valueStart !== undefined)
      members.push({ name: JSON.parse(name.text) as string, start: name.start, valueStart, end: lastEnd }); // a string token
    name = valueStart = undefined;
  };
  for (const { 0: token, index } of tokens) {
    const at = from + index;
    if (depth === 1 && (token === "," || token === closing)) close();
    if (token === closing && depth === 1) return { start: from + first.index, end: at + 1, members };
    if (depth === 1 && token !== "," && token !== ":") {
      if (name !== undefined) valueStart ??= at;
      else if (isList) [name, valueStart] = [{ text: '""', start: at }, at];
      else name = { text: token, start: at };
    }
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    lastEnd = at + token.length;
  }
  return undefined;
}

/** The last member of this name, which is the one that counts. */
export const memberOf = ({ members }: JsonObject, name: string): Member | undefined => members.findLast((member) => member.name === name);
