// English words whose forms do not begin alike, so that no stemmer finds one by the other. First the word, then its other forms.

const FORMS = `
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

/** Each word with its other forms. */
export const IRREGULAR_WORDS: readonly (readonly string[])[] = FORMS.trim()
  .split("\n")
  .map((line) => line.split(" "));
