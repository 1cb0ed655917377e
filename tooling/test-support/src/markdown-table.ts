/** Tables in Markdown. */

const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

/** `numbers`: all columns but the first stand right. */
export const markdownTable = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { numbers = false }: { numbers?: boolean } = {},
): string => [line(head), line(head.map((_, at) => (numbers && at > 0 ? "---:" : "---"))), ...rows.map(line)].join("\n");
