/** The target table: limits for ratios of figures from one run. */
import { HTTP_ROWS } from "./http-rows.ts";
import type { Row } from "./row.ts";
import { SERVER_ROWS } from "./server-rows.ts";

const START = "Start";
const STDIO = "stdio";

const KIT_ROWS: readonly Row[] = [
  {
    group: START,
    suite: "start",
    figure: "start ms",
    of: "ours",
    floor: "floor",
    bar: 1.4,
    stretch: 1.25,
    beside: { "sdk-v1": 0.26, "sdk-v2": 0.28 },
    quick: true,
  },
  {
    group: START,
    suite: "start",
    figure: "start peak MiB",
    of: "ours",
    floor: "floor",
    bar: 1.12,
    stretch: 1.06,
    beside: { "sdk-v1": 0.7, "sdk-v2": 0.7 },
  },
  {
    group: START,
    suite: "start",
    figure: "start ms",
    of: "ours-filesystem",
    floor: "fs-floor",
    bar: 1.6,
    stretch: 1.35,
    beside: { "server-filesystem": 0.26 },
  },
  { group: START, suite: "start", figure: "start ms", of: "ours-git", floor: "git-floor", bar: 1.6, stretch: 1.35 },
  {
    group: START,
    suite: "start",
    figure: "start ms",
    of: "ours-sqlite",
    floor: "sqlite-floor",
    bar: 1.6,
    stretch: 1.35,
    beside: { dbhub: 0.1 },
  },
  {
    group: START,
    suite: "start",
    figure: "start ms",
    of: "ours-memory",
    floor: "memory-floor",
    bar: 1.6,
    stretch: 1.35,
    beside: { "server-memory": 0.26 },
  },

  {
    group: STDIO,
    suite: "latency",
    figure: "echo 64B p50 us",
    of: "ours",
    floor: "floor",
    bar: 1.12,
    stretch: 1.06,
    beside: { "sdk-v1": 0.82, "sdk-v2": 0.7 },
  },
  {
    group: STDIO,
    suite: "latency",
    figure: "echo 64B server cpu us",
    of: "ours",
    floor: "floor",
    bar: 1.25,
    stretch: 1.15,
    beside: { "sdk-v1": 0.58, "sdk-v2": 0.45 },
  },
  {
    group: STDIO,
    suite: "stdio",
    figure: "echo 64B x16 server cpu us",
    of: "ours",
    floor: "floor",
    bar: 1.6,
    stretch: 1.35,
    beside: { "sdk-v1": 0.35, "sdk-v2": 0.25 },
    quick: true,
  },
  {
    group: STDIO,
    suite: "stdio",
    figure: "echo 64B x256 rps",
    of: "ours",
    floor: "floor",
    bar: 0.5,
    stretch: 0.65,
    beside: { "sdk-v1": 3.5, "sdk-v2": 5 },
    quick: true,
  },
  {
    group: STDIO,
    suite: "stdio",
    figure: "echo 4KiB x16 server cpu us",
    of: "ours",
    floor: "floor",
    bar: 1.3,
    stretch: 1.15,
    beside: { "sdk-v1": 0.47, "sdk-v2": 0.4 },
  },
  {
    group: STDIO,
    suite: "latency",
    figure: "echo 1MiB server cpu us",
    of: "ours",
    floor: "floor",
    bar: 1.3,
    stretch: 1.1,
    beside: { "sdk-v1": 0.6, "sdk-v2": 0.6 },
  },
  {
    group: STDIO,
    suite: "stdio",
    figure: "list x16 server cpu us",
    of: "ours",
    floor: "floor",
    bar: 1.3,
    stretch: 1.1,
    beside: { "sdk-v1": 0.013, "sdk-v2": 0.013, "sdk-v1-low": 0.2 },
    quick: true,
  },
  {
    group: STDIO,
    suite: "stdio-modern",
    figure: "echo 64B x16 server cpu us",
    of: "ours",
    floor: "floor",
    note: "Each request carries its revision.",
  },

  {
    group: "Memory of a process",
    suite: "growth",
    figure: "peak MiB",
    of: "ours",
    floor: "floor",
    bar: 1.35,
    stretch: 1.15,
    beside: { "sdk-v1": 0.35, "sdk-v2": 0.35 },
    note: "Over 200,000 calls.",
  },
  { group: "Memory of a process", suite: "growth", figure: "growth MiB", of: "ours", bar: 10 },
];

const WEIGHT = "Weight of an installation";

const BINARIES = "27 MB are better-sqlite3: SQLite for eight platforms, and its source code.";
const ON_SQLITE: ReadonlyMap<string, string> = new Map([
  ["sqlite", BINARIES],
  [
    "memory",
    `${BINARIES} Node's own SQLite would save them; that of Node 22.22 (3.51.2) has the WAL-reset bug, which can damage a store that several processes use.`,
  ],
]);

/** Servers have no limit: their weight follows from their subject. */
const WEIGHT_ROWS: readonly Row[] = [
  { group: WEIGHT, suite: "weight", figure: "packages", of: "kit-package", bar: 1 },
  { group: WEIGHT, suite: "weight", figure: "MB", of: "kit-package", bar: 0.25, stretch: 0.1 },
  { group: WEIGHT, suite: "weight", figure: "files", of: "kit-package", bar: 15, note: "Six entries, each with its types." },
  ...["filesystem", "git", "sqlite", "memory"].flatMap((name): Row[] => {
    const note = ON_SQLITE.get(name);
    return [
      { group: WEIGHT, suite: "weight", figure: "packages", of: `${name}-package` },
      { group: WEIGHT, suite: "weight", figure: "MB", of: `${name}-package`, ...(note !== undefined && { note }) },
    ];
  }),
];

export const ROWS: readonly Row[] = [...KIT_ROWS, ...HTTP_ROWS, ...WEIGHT_ROWS, ...SERVER_ROWS];
