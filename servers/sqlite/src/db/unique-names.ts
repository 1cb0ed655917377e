// Names of which several are the same: later ones get a number.

/** In the order given; a later one is `name_2`. `formOf`: the form by which they are compared. Default: as they are. */
export function uniqueNames(names: readonly string[], formOf: (name: string) => string = (name) => name): string[] {
  const given = new Set(names.map(formOf));
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; taken.has(formOf(unique)); number += 1) {
      const numbered = `${name}_${number}`;
      unique = given.has(formOf(numbered)) ? name : numbered;
    }
    taken.add(formOf(unique));
    return unique;
  });
}
