// The tables of a file of vectors. Everything in it follows from the memory and the model, so a file of another format is made anew.

/** "OARV": marks the file. */
export const APPLICATION_ID = 0x4f415256;

/** Version of the tables. */
export const FORMAT_VERSION = 1;

export const TABLES = `
  CREATE TABLE state (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

  -- The id of an observation, or the negative id of an entity for its name and type. Plain tables, so that a process without sqlite-vec can
  -- remove what is purged; its virtual tables are not faster.
  CREATE TABLE vector (id INTEGER PRIMARY KEY, entity INTEGER NOT NULL, value BLOB NOT NULL);
  CREATE TABLE bits (id INTEGER PRIMARY KEY, value BLOB NOT NULL);

  -- Embedded before a new name or type of their entity.
  CREATE TABLE outdated (id INTEGER PRIMARY KEY);
`;
