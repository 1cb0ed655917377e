/** The list of open rows as a file: what a test has reached meanwhile is taken out, all else stays as it is written. */
export function withoutProved(list: string, proved: ReadonlySet<string>): string {
  const lines = list.split("\n").flatMap((line) => {
    if (line.startsWith("#") || line === "") return [line];
    const left = line.split(" ").filter((id) => !proved.has(id));
    return left.length > 0 ? [left.join(" ")] : [];
  });
  return lines.join("\n");
}
