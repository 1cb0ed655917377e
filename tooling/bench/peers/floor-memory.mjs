// The floor for memory: the bare frame of the floors over a graph that is held in memory, with one prepared text for each entity
// that a search scans, and an append for each change, synced. It checks nothing and is no server to use, only the limit to measure against.
import { fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { serveTools } from "./floor-frame.mjs";

const file = process.argv[2];
const log = openSync(file, "a");
const PAGE = 25;

const entities = [];
const texts = [];
const relations = [];

const textOf = ({ name, entityType, observations }) => [name, entityType, ...observations].join("\n").toLowerCase();

for (const line of readFileSync(file, "utf8").split("\n")) {
  if (line === "") continue;
  const { type, ...record } = JSON.parse(line);
  if (type === "relation") relations.push(record);
  else {
    entities.push(record);
    texts.push(textOf(record));
  }
}

const pretty = (value) => JSON.stringify(value, null, 2);

serveTools({
  search_nodes({ query }) {
    const wanted = query.toLowerCase();
    const found = [];
    texts.forEach((text, at) => {
      if (text.includes(wanted)) found.push(entities[at]);
    });
    return pretty({ entities: found.slice(0, PAGE), relations: [] });
  },
  create_entities({ entities: wanted }) {
    for (const entity of wanted) {
      entities.push(entity);
      texts.push(textOf(entity));
      writeSync(log, `\n${JSON.stringify({ type: "entity", ...entity })}`);
    }
    // What is acknowledged is on the disk, as with ours.
    fdatasyncSync(log);
    return pretty(wanted);
  },
  open_nodes: ({ names }) => pretty({ entities: entities.filter(({ name }) => names.includes(name)), relations: [] }),
  read_graph: () => pretty({ entities, relations }),
});
