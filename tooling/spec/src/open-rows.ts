/** Open rows: removes the rows that a test has covered since, and keeps the rest of the file as it is. */
export function withoutProved(list: string, proved: ReadonlySet<string>): string {
  const lines = list.split("\n").flatMap((line) => {
    if (line.startsWith("#") || line === "") return [line];
    const left = line.split(" ").filter((id) => !proved.has(id));
    return left.length > 0 ? [left.join(" ")] : [];
  });
  return lines.join("\n");
}
