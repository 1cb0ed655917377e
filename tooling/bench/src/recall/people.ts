// The twenty people of the recall benchmark, with what is known of each. Written by hand, before any server was tried with it.

export interface Person {
  readonly name: string;
  readonly nickname: string;
  readonly city: string;
  readonly job: string;
  readonly drink: string;
  readonly sport: string;
  readonly animal: string;
  readonly pet: string;
  readonly instrument: string;
  readonly country: string;
  readonly food: string;
  readonly thing: string;
  readonly book: string;
}

const COLUMNS = [
  "name",
  "nickname",
  "city",
  "job",
  "drink",
  "sport",
  "animal",
  "pet",
  "instrument",
  "country",
  "food",
  "thing",
  "book",
] as const;

const TABLE = `
Ada Moreau      | Addie   | Lisbon    | carpenter     | rooibos    | fencing    | tortoise | Biscuit | cello      | Norway    | peanuts     | sewing machine   | gardening
Bruno Keller    | Bru     | Ghent     | dentist       | espresso   | rowing     | parrot   | Captain | trumpet    | Japan     | shellfish   | telescope        | astronomy
Chiara Rossi    | Kiki    | Turin     | translator    | lemonade   | judo       | rabbit   | Olive   | harp       | Chile     | strawberries| motorbike        | cathedrals
Dmitri Volkov   | Dima    | Tallinn   | plumber       | kvass      | chess      | ferret   | Pepper  | accordion  | Morocco   | walnuts     | chainsaw         | submarines
Elena Petrova   | Lena    | Varna     | architect     | cider      | archery    | canary   | Sunny   | violin     | Iceland   | celery      | greenhouse       | bridges
Farid Haddad    | Fizz    | Marseille | baker         | mocha      | squash     | gecko    | Ziggy   | oud        | Peru      | sesame      | bread oven       | deserts
Greta Lindqvist | Gigi    | Malmo     | geologist     | glogg      | curling    | husky    | Storm   | flute      | Kenya     | eggs        | kayak            | volcanoes
Hugo Almeida    | Huguito | Coimbra   | journalist    | macchiato  | surfing    | hamster  | Nacho   | mandolin   | Vietnam   | mustard     | typewriter       | spies
Ingrid Solberg  | Inga    | Bergen    | midwife       | aquavit    | biathlon   | goat     | Clover  | drums      | Greece    | kiwi        | snowmobile       | lighthouses
Jonas Weber     | Jojo    | Leipzig   | optician      | matcha     | badminton  | beagle   | Waffle  | bassoon    | Canada    | almonds     | hammock          | trains
Karim Benali    | Kiko    | Rabat     | electrician   | mint tea   | handball   | camel    | Sahara  | guitar     | Brazil    | lactose     | solar panel      | pirates
Lucia Navarro   | Lulu    | Seville   | florist       | horchata   | flamenco   | peacock  | Rey     | castanets  | Scotland  | mushrooms   | sports car       | orchids
Mateusz Nowak   | Mati    | Krakow    | locksmith     | kompot     | wrestling  | hedgehog | Thistle | tuba       | Cuba      | rye         | drone            | castles
Nadia Rahman    | Nadi    | Leeds     | pharmacist    | chai       | cricket    | kitten   | Saffron | sitar      | Nepal     | coconut     | loom             | poisons
Oskar Jansen    | Ozzy    | Utrecht   | cartographer  | jenever    | cycling    | heron    | Stilts  | organ      | Mexico    | tomatoes    | houseboat        | maps
Priya Sharma    | Pip     | Bristol   | veterinarian  | lassi      | hockey     | donkey   | Basil   | tabla      | Finland   | garlic      | caravan          | elephants
Quentin Dubois  | Quinn   | Lyon      | sommelier     | pastis     | petanque   | poodle   | Merlot  | piano      | Georgia   | sulphites   | barrel           | vineyards
Rosa Ferreira   | Rosie   | Porto     | welder        | galao      | capoeira   | iguana   | Rocket  | banjo      | Ireland   | pineapple   | bandsaw          | bullfights
Stefan Ionescu  | Fane    | Brasov    | beekeeper     | mead       | climbing   | falcon   | Vlad    | panpipes   | Tunisia   | pollen      | tractor          | vampires
Tove Eriksen    | Toffee  | Aarhus    | glassblower   | kombucha   | sailing    | dachshund| Sausage | clarinet   | Sicily    | chocolate   | furnace          | shipwrecks
`;

export const PEOPLE: readonly Person[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const cells = line.split("|").map((cell) => cell.trim());
    return Object.fromEntries(COLUMNS.map((column, at) => [column, cells[at] ?? ""])) as unknown as Person; // the table has all columns
  });

/** The person is that of the one so many lines below, counted in a circle. */
export const TIES: readonly { readonly type: string; readonly noun: string; readonly distance: number }[] = [
  { type: "sister_of", noun: "sister", distance: 3 },
  { type: "neighbour_of", noun: "neighbour", distance: 7 },
  { type: "mentors", noun: "mentor", distance: 11 },
];
