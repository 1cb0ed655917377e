// What a value may cost before the author's schema sees it. The libraries behind schemas try a pattern on texts of any length,
// in this process, where nothing can stop them; so patterns are judged when a schema is published, and texts are counted first.
import { isObject, type Json } from "../wire/json-rpc.ts";
import type { Awaitable } from "./after.ts";
import { costOf } from "./pattern-cost.ts";
import { truncate, type Checked, type Issue, type Schema } from "./schema.ts";

/** Steps that the costly patterns of one value may take together: about a tenth of a second at worst. */
const MOST_STEPS = 25_000_000;
/** Longest list of unique items whose schema sets no bound: each may be compared with each. */
const MOST_UNIQUE = 1000;

interface Work {
  left: number;
}
type Look = (value: unknown, work: Work) => Issue | undefined;

const looks = new WeakMap<Json, Look>();

/**
 * Finds what is costly in a JSON Schema and remembers how to bound it. `own` schemas are told their bounds: `maxLength`,
 * `maxItems`. Throws, naming the owner and the property, at a pattern whose time doubles with each character.
 */
export function boundCosts(schema: Json, owner: string, own: boolean): void {
  // Looking for the words first is much faster than walking, and most schemas have none of them.
  if (!COSTLY.test(JSON.stringify(schema))) return;
  const planner = new Planner(schema, owner, own);
  const look = planner.look(schema, []);
  if (look !== undefined && planner.costly) looks.set(schema, look);
}

/** The check of a schema, after the bounds found in what was published of it. A schema without costly parts pays nothing. */
export function checkOf(schema: Schema, published: Json): (value: unknown) => Awaitable<Checked<unknown>> {
  const standard = schema["~standard"];
  const look = looks.get(published);
  if (look === undefined) return (value) => standard.validate(value);
  return (value) => {
    const issue = look(value, { left: MOST_STEPS });
    return issue === undefined ? standard.validate(value) : { issues: [issue] };
  };
}

const COSTLY = /"(?:pattern|patternProperties|uniqueItems)":/;

/** Keywords whose schemas meet the value itself; its members; its items. */
const SAME = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];
const OTHER_MEMBERS = ["additionalProperties", "unevaluatedProperties"];
const OTHER_ITEMS = ["items", "contains", "unevaluatedItems"];

class Planner {
  /** Something with a bound was found. */
  costly = false;
  readonly #root: Json;
  readonly #owner: string;
  readonly #own: boolean;
  /** Schemas that are being looked at: in schemas that we did not make, references may form circles. */
  readonly #known = new Map<Json, { look?: Look | undefined }>();

  constructor(root: Json, owner: string, own: boolean) {
    this.#root = root;
    this.#owner = owner;
    this.#own = own;
  }

  look(schema: unknown, path: readonly string[]): Look | undefined {
    if (!isObject(schema)) return undefined;
    const known = this.#known.get(schema);
    if (known !== undefined) return "look" in known ? known.look : (value, work) => known.look?.(value, work);
    const entry: { look?: Look | undefined } = {};
    this.#known.set(schema, entry);
    entry.look = together([
      this.#text(schema, path),
      this.#unique(schema),
      ...SAME.flatMap((key) => listOf(schema[key]).map((part) => this.look(part, path))),
      ...entriesOf(schema.dependentSchemas).map(([, part]) => this.look(part, path)),
      this.look(this.#referred(schema), path),
      this.#members(schema, path),
      this.#items(schema, path),
    ]);
    return entry.look;
  }

  #text(schema: Json, path: readonly string[]): Look | undefined {
    if (typeof schema.pattern !== "string") return undefined;
    const bound = this.#matching(schema.pattern, path, schema.maxLength);
    if (bound !== undefined && this.#own) schema.maxLength = bound.most;
    return bound?.look;
  }

  /** The bound of texts that meet a pattern; undefined where the time grows with the text only as reading it does. */
  #matching(pattern: string, path: readonly string[], given?: unknown): { most: number; look: Look } | undefined {
    const cost = costOf(pattern);
    if (cost === 1) return undefined;
    if (cost === Infinity) {
      const where = path.length === 0 ? "" : `, "${path.join(".")}"`;
      throw new TypeError(`${this.#owner}${where}: this pattern can take a time that doubles with each character: ${truncate(pattern)}`);
    }
    const most = Math.min(typeof given === "number" ? given : Infinity, Math.floor(MOST_STEPS ** (1 / cost)));
    this.costly = true;
    const look: Look = (value, work) => {
      if (typeof value !== "string") return undefined;
      if (value.length > most) return { message: `expected at most ${most} characters` };
      work.left -= value.length ** cost;
      return work.left < 0 ? { message: "too many long texts of this kind" } : undefined;
    };
    return { most, look };
  }

  #unique(schema: Json): Look | undefined {
    if (schema.uniqueItems !== true) return undefined;
    const most = typeof schema.maxItems === "number" ? schema.maxItems : MOST_UNIQUE;
    if (this.#own) schema.maxItems = most;
    this.costly = true;
    return (value) => (Array.isArray(value) && value.length > most ? { message: `expected at most ${most} items` } : undefined);
  }

  #members(schema: Json, path: readonly string[]): Look | undefined {
    const named = new Map<string, Look | undefined>();
    for (const [name, part] of entriesOf(schema.properties)) named.set(name, this.look(part, [...path, name]));
    const others = together(OTHER_MEMBERS.map((key) => this.look(schema[key], [...path, "*"])));
    const patterns = entriesOf(schema.patternProperties);
    const any = together(patterns.map(([, part]) => this.look(part, [...path, "*"])));
    const names = together([this.look(schema.propertyNames, path), ...patterns.map(([name]) => this.#matching(name, path)?.look)]);
    if ([...named.values(), others, any, names].every((look) => look === undefined)) return undefined;
    return (value, work) => {
      if (!isObject(value)) return undefined;
      for (const [name, member] of Object.entries(value)) {
        const look = named.has(name) ? named.get(name) : others;
        const issue = names?.(name, work) ?? look?.(member, work) ?? any?.(member, work);
        if (issue !== undefined) return within(truncate(name, 60), issue);
      }
      return undefined;
    };
  }

  #items(schema: Json, path: readonly string[]): Look | undefined {
    const first = listOf(schema.prefixItems).map((part) => this.look(part, path));
    const others = together(OTHER_ITEMS.flatMap((key) => listOf(schema[key]).map((part) => this.look(part, path))));
    if (others === undefined && first.every((look) => look === undefined)) return undefined;
    return (value, work) => {
      if (!Array.isArray(value)) return undefined;
      for (const [at, item] of value.entries()) {
        const issue = first[at]?.(item, work) ?? others?.(item, work);
        if (issue !== undefined) return within(at, issue);
      }
      return undefined;
    };
  }

  /** What a reference within the document names; ours have none left. */
  #referred({ $ref }: Json): unknown {
    if (typeof $ref !== "string" || !$ref.startsWith("#")) return undefined;
    let found: unknown = this.#root;
    for (const part of $ref.slice(1).split("/").slice(1)) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      found = typeof found === "object" && found !== null && Object.hasOwn(found, name) ? (found as Json)[name] : undefined;
    }
    return found;
  }
}

function together(all: readonly (Look | undefined)[]): Look | undefined {
  const some = all.filter((look) => look !== undefined);
  if (some.length < 2) return some[0];
  return (value, work) => {
    for (const look of some) {
      const issue = look(value, work);
      if (issue !== undefined) return issue;
    }
    return undefined;
  };
}

function within(key: PropertyKey, { message, path = [] }: Issue): Issue {
  return { message, path: [key, ...path] };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}
