/** Import circles: groups of files that reach each other by imports, type-only ones included. */
import { importsOf, type Sources } from "./sources.ts";

/** Each circle as `a.ts → b.ts → a.ts`, one for each group of files. */
export function importCircles(sources: Sources): string[] {
  const imports = new Map(
    Object.entries(sources).map(([path, text]) => [path, importsOf(path, text).flatMap(({ to }) => (to in sources ? [to] : []))]),
  );
  return groupsOf(imports).map((group) => shortestCircle(group, imports).join(" → "));
}

/** Tarjan's algorithm: the strongly connected components with more than one file, and files that import themselves. */
function groupsOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.size - 1);
    stack.push(path);
    for (const next of imports.get(path) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(path, Math.min(lowest.get(path) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1 || imports.get(path)?.includes(path) === true) groups.push(group.toSorted());
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return groups;
}

/** The shortest way from the first file of a group back to itself. */
function shortestCircle([start = "", ...others]: readonly string[], imports: ReadonlyMap<string, readonly string[]>): string[] {
  const group = new Set([start, ...others]);
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of imports.get(way.at(-1) ?? "") ?? []) {
      if (next === start) return [...way, start];
      if (!group.has(next) || seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return [start];
}
