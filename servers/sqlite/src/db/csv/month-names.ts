// Names of months as exports write them, in full or cut: `Mar`, `März`, `juil.`, `DEC`.

/** In English, German, French, Spanish, Italian, Dutch and Portuguese. */
const NAMES: readonly (readonly string[])[] = [
  "january januar janvier enero gennaio januari janeiro",
  "february februar fevrier febrero febbraio februari fevereiro",
  "march marz maerz mrz mars marzo maart mrt marco",
  "april avril abril aprile",
  "may mai mayo maggio mei maio",
  "june juni juin junio giugno junho",
  "july juli juillet julio luglio julho",
  "august aout agosto augustus",
  "september septembre septiembre settembre setembro",
  "october oktober octobre octubre ottobre outubro",
  "november novembre noviembre novembro",
  "december dezember decembre diciembre dicembre dezembro",
].map((line) => line.split(" "));

const known = new Map<string, number | undefined>();

/** From 1; undefined for other words, and for beginnings that two months have. */
export function monthOf(word: string): number | undefined {
  if (!known.has(word) && known.size < 1000) known.set(word, monthNamed(word));
  return known.has(word) ? known.get(word) : monthNamed(word);
}

function monthNamed(word: string): number | undefined {
  const letters = word
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036F.]/g, "")
    .toLowerCase();
  if (letters.length < 3) return undefined;
  const months = NAMES.flatMap((names, index) => (names.some((name) => name.startsWith(letters)) ? [index + 1] : []));
  return months.length === 1 ? months[0] : undefined;
}
