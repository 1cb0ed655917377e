/** The ratios at a glance, which the root README and the top of the page quote, each with the command that measures it. */
import { format } from "../figures.ts";
import type { Result, RowResult } from "../table/result.ts";

interface Quote {
  words: string;
  suite: string;
  figure: string;
  of: string;
}

const QUOTES: readonly Quote[] = [
  { words: "start of an echo server, time", suite: "start", figure: "start ms", of: "ours" },
  { words: "a call on stdio, CPU", suite: "stdio", figure: "echo 64B x16 server cpu us", of: "ours" },
  { words: "`tools/list`, CPU", suite: "stdio", figure: "list x16 server cpu us", of: "ours" },
  { words: "a call over HTTP, CPU", suite: "http", figure: "stateful/json c64 server cpu us", of: "ours-http" },
  { words: "an idle session, memory", suite: "sessions", figure: "KiB per session", of: "ours-http" },
  { words: "200,000 calls, peak memory", suite: "growth", figure: "peak MiB", of: "ours" },
  { words: "installed packages", suite: "weight", figure: "packages", of: "kit-package" },
  { words: "installed MB", suite: "weight", figure: "MB", of: "kit-package" },
  { words: "filesystem: start", suite: "start", figure: "start ms", of: "ours-filesystem" },
  { words: "filesystem: search by name in 50,000 files", suite: "filesystem", figure: "search ms", of: "ours-filesystem" },
  { words: "filesystem: tree of them", suite: "filesystem", figure: "tree ms", of: "ours-filesystem" },
  { words: "memory: start", suite: "start", figure: "start ms", of: "ours-memory" },
  { words: "memory: one more entity beside 10,000", suite: "memory", figure: "create 1 at 10k ms", of: "ours-memory" },
  { words: "memory: search in 100,000", suite: "memory", figure: "search for one at 100k ms", of: "ours-memory" },
];

const isOf = (row: RowResult, quote: Quote): boolean => row.suite === quote.suite && row.figure === quote.figure && row.of === quote.of;

export function glance(rows: readonly RowResult[]): string {
  const lines = QUOTES.flatMap((quote) => {
    const row = rows.find((one) => isOf(one, quote));
    const to = (matches: (product: string) => boolean): string => {
      const peer = row?.peers.find(({ product }) => matches(product));
      return peer === undefined ? "" : format(peer.ours);
    };
    const cells = [
      to((product) => product === "SDK v1"),
      to((product) => product === "SDK v2"),
      to((product) => /^server-(filesystem|memory)$/.test(product)),
    ];
    if (cells.every((cell) => cell === "")) return [];
    return [`| ${[quote.words, ...cells, `\`pnpm bench:report --suite ${quote.suite}\``].join(" | ")} |`];
  });
  return [
    "Oarlock divided by the other, measured in one run on one machine; less is better.",
    "",
    "| | official SDK v1 | official SDK v2 | official server | measured by |",
    "| --- | ---: | ---: | ---: | --- |",
    ...lines,
  ].join("\n");
}

export const readmeBlock = ({ rows }: Result): string =>
  `${glance(rows)}\n\n\`pnpm bench:peers\` installs the others. [docs/performance.md](docs/performance.md) has every figure, also those where Oarlock is behind.`;
