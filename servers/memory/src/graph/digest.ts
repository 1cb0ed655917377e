// Digest: what is known for a project, within a budget, for the start of a session. First the project and its neighbours, then the entities that are
// new or have the most relations.
import { escapeControls, truncateToBytes } from "@oarlock/domain-kit";
import type { EntityRow } from "./rows/entities.ts";
import { timesOf } from "./rows/fact-times.ts";
import { toRelation } from "./rows/relations.ts";
import type { Rows } from "./rows/rows.ts";
import { knownNames } from "./read/known-names.ts";

const MAX_ENTITIES = 60;
const MAX_NEWEST = 30;
const MAX_FACTS = 12;
const MAX_RELATIONS = 8;
const MAX_COUNTED_RELATIONS = 20_000;
const MAX_LINE_BYTES = 1200;
/** A shorter one has no fact. */
const MIN_LINE_BYTES = 60;
/** The mark of a list, and the line break. */
const LINE_OVERHEAD = 3;

/** `lines` begin with the project. `entities`: how many the memory has. */
export interface Digest {
  readonly lines: readonly string[];
  readonly entities: number;
}

/** `today`: facts that ended before this day are left out. */
export function digest(rows: Rows, { project, maxBytes, today }: { project: string; maxBytes: number; today: string }): Digest {
  return rows.read(() => {
    const lines: string[] = [];
    let bytesLeft = maxBytes;
    for (const entity of rows.inBatches(ranked(rows, project), (batch) => ({ observationsOf: batch.map(({ id }) => id) }))) {
      const line = truncateToBytes(lineOf(rows, entity, today), Math.min(MAX_LINE_BYTES, bytesLeft));
      lines.push(line);
      bytesLeft -= Buffer.byteLength(line) + LINE_OVERHEAD;
      if (bytesLeft < MIN_LINE_BYTES) break;
    }
    return { lines, entities: rows.totals().entities };
  });
}

/** The project, its neighbours, then new ones and such with many relations in turn. */
function ranked(rows: Rows, project: string): EntityRow[] {
  const name = knownNames(rows, [project])(project);
  const [links, neighbours] = [new Map<string, number>(), new Set<string>()];
  const count = (end: string): void => void links.set(end, (links.get(end) ?? 0) + 1);
  let left = MAX_COUNTED_RELATIONS;
  for (const { source, target } of rows.relations.createdAfter(0)) {
    if (left-- === 0) break;
    count(source);
    count(target);
  }
  for (const { source } of rows.relations.at("target", name)) neighbours.add(source);
  for (const { target } of rows.relations.at("source", name)) neighbours.add(target);
  const byLinks = (names: Iterable<string>): string[] => [...names].toSorted((a, b) => (links.get(b) ?? 0) - (links.get(a) ?? 0));
  const mostLinked = byLinks(links.keys());
  const newest = newestNames(rows);
  const others = Array.from({ length: MAX_ENTITIES }, (_, at) => [newest[at], mostLinked[at]]).flat();
  const names = [...new Set([name, ...byLinks(neighbours), ...others])].filter((one) => one !== undefined).slice(0, MAX_ENTITIES);
  rows.prepare({ names });
  return names.flatMap((one) => rows.entities.named(one) ?? []);
}

/** Those of the newest facts first. */
function newestNames(rows: Rows): string[] {
  const ids = [...new Set(rows.observations.newest(MAX_NEWEST).map(({ entity }) => entity))];
  rows.prepare({ ids });
  const ofFacts = ids.flatMap((id) => rows.entities.byId(id)?.name ?? []);
  return [...ofFacts, ...rows.entities.newest(MAX_NEWEST).map(({ name }) => name)];
}

/** "shop (project): Uses Postgres 17. Deploys on Fridays. → runs_on → Hetzner": its newest facts first, on one line, whatever they contain. */
function lineOf(rows: Rows, { id, name, type }: EntityRow, today: string): string {
  const facts = rows.observations
    .of(id)
    .toReversed()
    .filter((row) => (timesOf(row).validTo ?? today) >= today.slice(0, timesOf(row).validTo?.length))
    .slice(0, MAX_FACTS)
    .map(({ text }) => (/[.!?]$/.test(text) ? text : `${text}.`));
  const relations: string[] = [];
  for (const row of rows.relations.at("source", name)) {
    if (relations.length === MAX_RELATIONS) break;
    const { relationType, to } = toRelation(row);
    relations.push(`→ ${relationType} → ${to}`);
  }
  return escapeControls(`${name} (${type}): ${[...facts, relations.join(", ")].join(" ").trimEnd()}`);
}
