// The words of a query: their language, the filler around them, their forms, and other words that mean the same.
import { describe, expect, test } from "vitest";
import { ENGLISH } from "../../../../src/graph/search/languages/english.ts";
import { FRENCH } from "../../../../src/graph/search/languages/french.ts";
import { GERMAN } from "../../../../src/graph/search/languages/german.ts";
import { LANGUAGES } from "../../../../src/graph/search/languages/index.ts";
import { FoldedText } from "../../../../src/graph/search/words/folded-text.ts";
import { termsOf } from "../../../../src/graph/search/words/query-terms.ts";
import { fold } from "../../../../src/graph/text-index/normalization.ts";

const queryWords = (query: string) => termsOf(fold(query)).map(({ word }) => word);
/** How a text has the words of a query. */
const kindsIn = (text: string, query: string) => termsOf(fold(query)).map((term) => new FoldedText(text).formOf(term)?.kind);

test.each([
  ["What is the name of Ada's landlord?", ["ada", "landlord"]],
  ["Do you know what kind of music Ada likes?", ["music", "ada", "likes"]],
  ["Can you tell me about the boiler", ["boiler"]],
  ["I'd like to know how many pets I've got", ["pets"]],
  ["What does she do for a living?", ["do for a living"]],
  ["Which cell phone has she", ["cell phone"]],
  ["Weißt du, wo Ada wohnt?", ["ada", "wohnt"]],
  ["Qu'est-ce que l'amie d'Ada aime ?", ["amie", "ada", "aime", "?"]],
  ["tell me", ["tell", "me"]],
])("keeps of %j what it asks for", (query, words) => expect(queryWords(query)).toEqual(words));

test.each([
  ["Where does Ada live?", ENGLISH],
  ["AI strategy", ENGLISH],
  ["die hard", ENGLISH],
  ["allergies", ENGLISH],
  ["Wo wohnt Ada?", GERMAN],
  ["Vermieter", GERMAN],
  ["Où habite le médecin d'Ada ?", FRENCH],
  ["voiture", FRENCH],
])("%s is of its language", (query, language) => expect(termsOf(fold(query))[0]?.language).toBe(language));

describe("a text has a word", () => {
  test.each([
    ["allergic to nuts", "allergies", "inflected"],
    ["NO ALLERGIES", "allergic", "inflected"],
    ["went home", "go", "inflected"],
    ["two mice", "mouse", "inflected"],
    ["their wives", "wife", "inflected"],
    ["she flies tomorrow", "fly", "inflected"],
    ["the manager is Kim", "boss", "synonym"],
    ["the owner of the flat", "landlord", "synonym"],
    ["her sister Bea", "siblings", "synonym"],
    ["one sibling", "sister", "broader"],
    ["her brother", "sister", undefined],
    ["adopted a beagle", "pet", "synonym"],
    ["two dogs", "pets", "synonym"],
    ["bought a van", "vehicle", "synonym"],
    ["her children", "kids", "synonym"],
    ["works as a nurse", "profession", "synonym"],
    ["her cellphone, a mobile phone", "smartphone", "synonym"],
    ["lives in Porto", "address", "synonym"],
    ["saw 17 whales", "seventeen", "synonym"],
    ["the tea", "people", undefined],
    ["seine Hauseigentümer, der Eigentümer", "Wer ist der Vermieter", "synonym"],
    ["les chevaux", "le cheval que", "inflected"],
  ])("%s: %s as %s", (text, query, kind) => expect(kindsIn(text, query)[0]).toBe(kind));
});

test("each language folds its words as texts are, and has no word twice in a group", () => {
  for (const { synonyms, irregularForms, stopWords } of LANGUAGES) {
    const groups = [...irregularForms, ...synonyms.map(({ kind = [], members }) => [kind, ...members].map((one) => one.join(" ")))];
    expect(groups.filter((group) => new Set(group).size < group.length)).toEqual([]);
    expect([...groups.flat(), ...stopWords].filter((word) => fold(word) !== word || word.includes("_"))).toEqual([]);
  }
  expect(LANGUAGES.map(({ synonyms }) => synonyms.length > 200)).toEqual([true, true, true]);
});
