// The ten facts about each person, and how people ask for them: with the same words, with other forms of them, and with other words.
import type { Person } from "./people.ts";

export interface Topic {
  readonly fact: (person: Person) => string;
  /** Words of the fact as they are, next to each other or not. */
  readonly same: readonly ((person: Person) => string)[];
  /** What a typing error is made in, and a further word. */
  readonly keyword: (person: Person) => string;
  readonly inflected: (first: string) => string;
  /** In other words, which only the language knows. */
  readonly otherWords: (first: string) => string;
  /** In a word that the graph relates to one of the fact. */
  readonly kind?: { readonly of: (person: Person) => string; readonly name: string; readonly question: (first: string) => string };
  /** About the person that the words `who` describe, such as "the sister of Ada". */
  readonly hop: (who: string) => string;
}

export const firstName = ({ name }: Person): string => name.split(" ")[0] ?? name;

export const TOPICS: readonly Topic[] = [
  {
    fact: ({ name, city }) => `${name} lives in ${city}, near the station`,
    same: [({ city }) => `lives in ${city}`, (person) => `${firstName(person)} ${person.city}`],
    keyword: ({ city }) => city,
    inflected: (first) => `Where is ${first} living?`,
    otherWords: (first) => `What is the address of ${first}?`,
    hop: (who) => `Where does ${who} live?`,
  },
  {
    fact: ({ name, job }) => `${name} works as a ${job} for a small firm`,
    same: [({ job }) => `works as a ${job}`, (person) => `${person.job} ${firstName(person)}`],
    keyword: ({ job }) => job,
    inflected: (first) => `What is ${first} working as?`,
    otherWords: (first) => `What does ${first} do for a living?`,
    hop: (who) => `What does ${who} work as?`,
  },
  {
    fact: ({ name, drink }) => `${name} prefers ${drink} in the morning`,
    same: [({ drink }) => `prefers ${drink}`, (person) => `${firstName(person)} ${person.drink}`],
    keyword: ({ drink }) => drink,
    inflected: (first) => `Any preferences of ${first} for mornings?`,
    otherWords: (first) => `What does ${first} like to have at breakfast?`,
    kind: { of: ({ drink }) => drink, name: "beverage", question: (first) => `What beverages does ${first} like?` },
    hop: (who) => `What does ${who} prefer in the morning?`,
  },
  {
    fact: ({ name, sport }) => `${name} trains for a ${sport} contest`,
    same: [({ sport }) => `trains for a ${sport} contest`, (person) => `${person.sport} ${firstName(person)}`],
    keyword: ({ sport }) => sport,
    inflected: (first) => `Which contests is ${first} training for?`,
    otherWords: (first) => `How does ${first} keep fit?`,
    kind: { of: ({ sport }) => sport, name: "sport", question: (first) => `Which sport does ${first} do?` },
    hop: (who) => `Which contest does ${who} train for?`,
  },
  {
    fact: ({ name, animal, pet }) => `${name} adopted a ${animal} called ${pet}`,
    same: [({ animal, pet }) => `${animal} called ${pet}`, (person) => `${firstName(person)} ${person.animal}`],
    keyword: ({ animal }) => animal,
    inflected: (first) => `When did ${first} think of adopting?`,
    otherWords: (first) => `Who keeps ${first} company at home?`,
    kind: { of: ({ animal }) => animal, name: "pet", question: (first) => `Has ${first} got pets?` },
    hop: (who) => `What has ${who} adopted?`,
  },
  {
    fact: ({ name, instrument }) => `${name} is learning to play the ${instrument}`,
    same: [({ instrument }) => `play the ${instrument}`, (person) => `${person.instrument} ${firstName(person)}`],
    keyword: ({ instrument }) => instrument,
    inflected: (first) => `What has ${first} learned to play?`,
    otherWords: (first) => `Does ${first} make music?`,
    kind: {
      of: ({ instrument }) => instrument,
      name: "musical instrument",
      question: (first) => `Which musical instrument has ${first}?`,
    },
    hop: (who) => `What is ${who} learning to play?`,
  },
  {
    fact: ({ name, country }) => `${name} travelled to ${country} with two friends`,
    same: [({ country }) => `travelled to ${country}`, (person) => `${firstName(person)} ${person.country}`],
    keyword: ({ country }) => country,
    inflected: (first) => `Is ${first} travelling with a friend?`,
    otherWords: (first) => `Where did ${first} spend the holidays?`,
    hop: (who) => `Where has ${who} travelled to?`,
  },
  {
    fact: ({ name, food }) => `${name} avoids ${food} because of a rash`,
    same: [({ food }) => `avoids ${food}`, (person) => `${person.food} ${firstName(person)}`],
    keyword: ({ food }) => food,
    inflected: (first) => `What is ${first} avoiding?`,
    otherWords: (first) => `Has ${first} got an allergy?`,
    hop: (who) => `What does ${who} avoid?`,
  },
  {
    fact: ({ name, thing }) => `${name} bought a ${thing} at an auction`,
    same: [({ thing }) => `bought a ${thing}`, (person) => `${firstName(person)} ${person.thing}`],
    keyword: ({ thing }) => thing,
    inflected: (first) => `What does ${first} buy at auctions?`,
    otherWords: (first) => `Which purchase has ${first} made?`,
    hop: (who) => `What was bought at an auction by ${who}?`,
  },
  {
    fact: ({ name, book }) => `${name} is writing a book about ${book}`,
    same: [({ book }) => `a book about ${book}`, (person) => `${person.book} ${firstName(person)}`],
    keyword: ({ book }) => book,
    inflected: (first) => `Which books has ${first} written?`,
    otherWords: (first) => `Is ${first} an author?`,
    hop: (who) => `Which book does ${who} write?`,
  },
];
