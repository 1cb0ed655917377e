// English: data of search, and Porter's stemmer.
import { stemmer } from "stemmer";
import { formsIn, wordsIn, type Language } from "./language.ts";

const STOP_WORDS = `
a about all also am an and any anybody anyone anything are as at be been being both but by can could did do does doing done each ever every
few find for from get gets give had has have having he her hers him his how i if in into is it its just know known let list many me mine
more most much my myself of off on once one only or other our ours out own please recall remember she should show since so some someone
something such tell than that the their theirs them then there these they thing things this those to too until up us very was we were what
when where whether which while who whom whose why will with would you your yours don doesn didn isn aren wasn weren won can't cannot couldn
shouldn wouldn hasn haven hadn ll re ve
`;

const IRREGULAR_FORMS = `
become became become
begin began begun
bite bit bitten
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feel felt
fight fought
find found
fly flew flown
forget forgot forgotten
give gave given
go went gone goes going
grow grew grown
hear heard
hold held
keep kept
know knew known
lead led
leave left
lend lent
lose lost
make made
mean meant
meet met
pay paid
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
sell sold
send sent
shoot shot
sing sang sung
sit sat
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
swim swam swum
take took taken
teach taught
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
win won
write wrote written
child children
foot feet
goose geese
man men
mouse mice
person people
tooth teeth
wife wives
woman women
knife knives
wolf wolves
`;

const SAME_TYPES = `
same_as also_known_as known_as also_called called aka alias alias_of has_alias nickname_of has_nickname synonym synonym_of has_synonym
equivalent_to abbreviation_of short_for stands_for
`;

const KIND_TYPES = `
is_a is_an is_a_kind_of kind_of is_a_type_of type_of instance_of subclass_of
`;

export const ENGLISH: Language = {
  alphabet: /^[a-z]+$/,
  stem: stemmer,
  stopWords: wordsIn(STOP_WORDS),
  irregularForms: formsIn(IRREGULAR_FORMS),
  sameTypes: wordsIn(SAME_TYPES),
  kindTypes: wordsIn(KIND_TYPES),
};
