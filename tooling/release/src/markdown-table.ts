/** Tables in Markdown. */

export const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

export const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(head), `|${" --- |".repeat(head.length)}`, ...rows].join("\n");
