// Names in one line of a message: of many, the first ones.

export const firstNames = (names: readonly string[], most: number): string =>
  names.slice(0, most).join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");
