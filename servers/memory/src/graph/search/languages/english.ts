// English: data of search. Groups of words are separated by semicolons (language.ts).
import { stemmer } from "@orama/stemmers/english";
import { groupsIn, synonymsIn, wordsIn, type Language } from "./language.ts";

const STOP_WORDS = `
a about all also am an and any anybody anyone anything are as at be been being both but by can could did do does doing done each ever every
few find for from get gets give got had has have having he her hers him his how i if in into is it its just know known let list many me mine
more most much my myself not of off on once one only or other our ours out own please recall remember remind she should show since so some
someone something such tell than that the their theirs them then there these they thing things this those to too until up us very was we
were what when where whether which while who whom whose why will with would you your yours don doesn didn isn aren wasn weren won can't
cannot couldn shouldn wouldn hasn haven hadn ll re ve don't doesn't didn't isn't aren't wasn't weren't won't couldn't shouldn't wouldn't
hasn't haven't hadn't
`;

const FILLERS = `
do you know; can you tell me; could you tell me; tell me about; tell me; remind me; remind me of; do you remember; what kind of; what kinds of;
what sort of; what type of; which kind of; which type of; what is the name of; what's the name of; what was the name of; how many; how much;
how often; how long; how far; is there any; are there any; is there anything; i would like to know; i want to know; i'd like to know;
information about; information on; details about; details of; details on; facts about; everything about; what about; how about;
what may; who may; which may; how may; may i; may we; may he; may she; may they; may you; may my; may our; may not; may be;
by the way; a lot of; kind of; sort of; look up; search for; search memory for
`;

/** First the word, then its forms whose beginnings, or whose stems, differ from it. */
const IRREGULAR_FORMS = `
arise arose arisen; awake awoke awoken; beat beaten; become became; begin began begun; bend bent; bind bound; bite bit bitten; bleed bled;
blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt; buy bought buyer; catch caught;
choose chose chosen choice; cling clung; come came; creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk;
drive drove driven driver; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled;
fly flew flown flight; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; give gave given;
go went gone goes going; grow grew grown growth; hang hung; hear heard; hide hid hidden; hold held; keep kept; kneel knelt;
know knew known; lay laid; lead led; lean leant; learn learnt; leap leapt; leave left; lend lent; light lit; lose lost loss; make made;
mean meant; meet met; mistake mistook mistaken; pay paid payment; prove proven; ride rode ridden; ring rang rung; rise rose risen;
run ran runner; say said; see saw seen; seek sought; sell sold seller sale; send sent; sew sewn; shake shook shaken; shine shone;
shoot shot; show shown; shrink shrank shrunk; sing sang sung singer; sink sank sunk; sit sat; sleep slept; slide slid; smell smelt;
speak spoke spoken speech; spell spelt; spend spent; spill spilt; spin spun; spoil spoilt; stand stood; steal stole stolen; stick stuck;
sting stung; strike struck stricken; swear swore sworn; sweep swept; swell swollen; swim swam swum swimmer; swing swung; take took taken;
teach taught teacher; tear tore torn; tell told; think thought; throw threw thrown; tie tying; understand understood;
undergo underwent undergone; wake woke woken; wear wore worn; weave wove woven; weep wept; win won; withdraw withdrew withdrawn;
write wrote written; bookshelf bookshelves; calf calves; child children; foot feet; goose geese; half halves; knife knives; loaf loaves;
louse lice; man men; mouse mice; ox oxen; scarf scarves; shelf shelves; thief thieves; tooth teeth; wife wives; wolf wolves; woman women;
crisis crises; criterion criteria; diagnosis diagnoses diagnose diagnosed diagnosing; phenomenon phenomena; appendix appendices;
cactus cacti; fungus fungi; curriculum curricula; medium media; aunt aunty auntie; allergy allergic allergen; anxiety anxious;
asthma asthmatic; autism autistic; baptism baptize baptised; belief believe; birth born; colour color; cook cookery; cycle cyclist;
dance dancer; death dead die dies died dying; debt indebted; decide decision; defend defence defense; depression depressed depressive;
describe description; divorce divorcee; drama dramatic; economy economic economics economist; employ employer employee employment;
energy energetic; epilepsy epileptic; explain explanation; favourite favorite fave; flavour flavor; gluten glutenfree; grey gray;
harbour harbor; history historic historical historian; honour honor; hungry hunger; insomnia insomniac; jewellery jewelry;
kilogram kilo kilos kg kilogramme; kilometre kilometer km; labour labor; lactose lactosefree; laugh laughter; length long;
height high tall; width wide; depth deep; strength strong; library librarian; litre liter; magic magician; marry marriage;
math mathematics mathematical mathematician; medicine medical medication meds; metre meter; mum mom mummy mommy mam; music musician;
neighbour neighbor neighbourhood neighborhood; organise organize organization; paint painter; philosophy philosophical philosopher;
photo photograph photography photographer; poem poet poetry; politics politician; pregnancy pregnant; programme program programming;
proud pride; pyjamas pajamas; realise realize; receipt receive; recognise recognize; religion religious; science scientific scientist;
smoke smoker; solve solution; speciality specialty specialise specialist; subscribe subscription; succeed success successful;
suggest suggestion; surgery surgical surgeon; theatre theater; therapy therapist therapeutic; tour tourism tourist; tyre tire tires;
vegetarian veggie; visit visitor; weigh weight; wisdom wise; wool woollen
`;

/** Words that mean the same, and before a colon the word for all that follow it; `_` is a blank. */
const SYNONYMS = `
# Family and people
mother mum mama; father dad daddy papa; parent: mother father; sibling: sister brother; spouse: wife husband;
partner spouse significant_other; partner: wife husband girlfriend boyfriend fiance fiancee; girlfriend gf; boyfriend bf;
fiance fiancee engaged; newlywed: bride groom; child kid; child: son daughter toddler baby teenager; son boy; daughter girl;
baby infant newborn; teenager teen adolescent; grandparent: grandmother grandfather; grandmother grandma granny nana nan;
grandfather grandpa granddad grandad; twin twins; grandchild: grandson granddaughter; relative family relation;
stepmother stepmum stepmom; relative: mother father sister brother aunt uncle cousin niece nephew grandmother grandfather;
stepfather stepdad; ancestor forebear; in_law: mother_in_law father_in_law sister_in_law brother_in_law; widow widower; ex former;
adopt foster; family: wife husband child son daughter parent sister brother; sister sis; brother bro; guardian carer caregiver caretaker;
godparent: godmother godfather; friend buddy pal mate; friend: best_friend; acquaintance contact; person people human individual;
man guy gentleman male; woman lady female; roommate flatmate housemate; neighbour next_door; enemy rival opponent; guest visitor;
couple pair; elderly old senior; marry wed wedding; wedding marriage nuptials; divorce split_up separate break_up; engagement engaged;
date dating go_out; relationship romance; name call; nickname alias moniker known_as; surname last_name family_name; first_name given_name;
birthday born birth_date date_of_birth; age year_old old; gender sex; pronoun pronouns; single unmarried; pregnant expecting;
childhood grow_up upbringing
# Work
job work occupation profession career employment position role do_for_a_living livelihood;
job: engineer teacher nurse lawyer programmer designer; boss manager supervisor superior line_manager report_to;
colleague coworker co_worker teammate workmate; employer company firm business; company corporation organisation enterprise startup;
employee staff worker; employ hire recruit; fire dismiss lay_off sack; resign quit step_down; salary wage pay income earnings earn;
raise pay_rise; promotion promote; office workplace; deadline due_date due; meeting appointment call; client customer;
team department group crew; project assignment task; task todo to_do chore errand; freelance self_employed contractor; retire pensioner;
intern apprentice trainee; ceo chief_executive; founder cofounder co_founder start_company; owner proprietor;
lawyer attorney solicitor barrister; engineer developer programmer; developer software_engineer coder;
teacher tutor instructor professor lecturer; nurse caregiver; accountant bookkeeper; scientist researcher; writer author novelist;
author write; journalist reporter; artist painter sculptor; actor actress; musician singer guitarist pianist; carpenter joiner woodworker;
builder construction_worker; chef cook; waiter waitress server; cleaner maid housekeeper; hairdresser barber stylist;
police policeman policewoman officer cop; firefighter fireman; soldier army military veteran; pilot aviator; driver chauffeur;
secretary assistant; consultant adviser advisor; salesperson sales seller; shopkeeper retailer; politician mayor; mentor coach trainer;
resume cv curriculum_vitae; skill ability talent expertise good_at; experience background; colleague: manager boss;
conference convention summit; presentation talk speech lecture; remote work_from_home home_office telework; commute travel_to_work;
shift schedule; university college uni; school academy; degree bachelor master phd diploma qualification graduate; major study;
student pupil learner; study learn; exam test quiz; grade mark score; course class lesson; homework assignment coursework;
graduate graduation alumni; scholarship grant; thesis dissertation
# Home
home house residence; home: apartment flat house; live reside home address dwell inhabit; address street location live;
apartment flat condo; landlord owner landlady lessor; tenant renter lodger; rent lease; mortgage home_loan; move relocate move_house;
city town; village hamlet; country nation; hometown come_from grow_up born; origin come_from native;
neighbourhood district area quarter suburb; street road avenue; garden yard backyard; room: bedroom bathroom kitchen lounge;
living_room lounge sitting_room; bathroom toilet restroom loo; cellar basement; attic loft; garage carport; sofa couch settee;
bed mattress; cupboard closet wardrobe cabinet; desk table; chair seat stool; lamp light; carpet rug; curtain blind;
furniture: sofa bed desk table chair wardrobe shelf; fridge refrigerator; stove cooker oven hob; washing_machine washer;
appliance: fridge oven dishwasher washing_machine kettle toaster microwave; heating heater boiler radiator; air_conditioning air_con ac;
vacuum hoover; tap faucet; bin trash garbage rubbish waste; key door_key; alarm alarm_code; repair fix mend; clean tidy;
broken damaged out_of_order defective; renovate refurbish remodel; balcony terrace patio; stairs staircase; lift elevator; floor storey;
tool: hammer drill saw screwdriver; plant: tree flower rose tomato herb; flower: rose tulip lily; utility: electricity gas water;
electricity power; housework chores cleaning
# Food and drink
meal: breakfast lunch dinner supper; dinner supper evening_meal; lunch midday_meal; meal dish food; food: meal dish snack cuisine;
snack nibble; dessert pudding sweet; drink beverage; drink: coffee tea beer wine juice water milk;
alcohol: beer wine whisky vodka gin cocktail; whisky whiskey; soda soft_drink fizzy_drink; coffee espresso latte cappuccino;
eat consume have; cook prepare make bake; restaurant eatery diner bistro eat_out; cafe coffee_shop; bar pub;
cuisine: italian mexican indian thai chinese japanese french;
fruit: apple banana orange pear grape mango cherry strawberry peach lemon kiwi pineapple; vegetable veg;
vegetable: carrot potato tomato onion spinach broccoli pepper cabbage; meat: beef pork chicken lamb steak bacon sausage ham;
fish: salmon tuna cod trout; seafood: fish shrimp prawn crab lobster oyster; shrimp prawn;
shellfish: crab lobster oyster mussel shrimp prawn; nut: peanut almond cashew walnut hazelnut; dairy: milk cheese butter yogurt cream;
cheese: cheddar brie mozzarella; bread loaf toast bun; pasta spaghetti noodle; soup stew broth; sugar sweet; diet eating_habit;
diet: vegetarian vegan keto gluten dairy; vegetarian meatless; vegetarian: vegan; candy sweet; biscuit cookie; chips fries crisps;
aubergine eggplant; courgette zucchini; coriander cilantro; spicy hot; taste flavour; delicious tasty yummy; portion serving;
fast_food takeaway takeout; barbecue bbq grill; eat: allergy vegetarian vegan; egg omelette; spice: pepper cinnamon cumin curry
# Health
doctor physician gp dr medic; doctor: dentist surgeon therapist cardiologist dermatologist paediatrician psychiatrist;
therapist counsellor counselor psychologist shrink; vet veterinarian; hospital clinic; medicine drug pill tablet;
medicine: antibiotic insulin painkiller aspirin ibuprofen; prescription prescribe; illness disease sickness condition ailment;
ill sick unwell; illness: diabetes asthma cancer flu cold migraine epilepsy arthritis depression;
allergy intolerance intolerant hypersensitive; heart cardiac; flu influenza; injury hurt wound; injury: fracture sprain; fracture broken;
pain ache sore hurt; headache migraine; stomach tummy belly; blood_pressure hypertension; sugar glucose; operation surgery;
vaccine vaccination jab shot immunisation immunization; check_up checkup examination; mental_health anxiety depression stress;
stress stressed pressure; tired exhausted fatigue; sleep rest nap; exercise workout work_out train fitness gym;
exercise: run swim cycle yoga gym; fit fitness healthy; healthy health; weight weigh kilo pound; height tall; disability disabled handicap;
glasses spectacles; eye vision sight; ear hearing; tooth dental; leg knee foot ankle; arm elbow wrist hand; skin rash eczema; rash hives;
fever temperature; blood_type blood_group; treatment therapy cure; recover recovery heal; smoke cigarette tobacco; drink alcohol;
vitamin supplement; die pass_away; funeral burial
# Travel and places
trip journey travel tour; vacation holiday; trip: vacation holiday; visit go_to travel_to; travel go visit; abroad overseas foreign;
flight plane fly airline; plane aeroplane airplane aircraft; train rail railway; bus coach; underground subway metro tube; tram streetcar;
taxi cab; boat ship; boat: sailboat canoe kayak yacht ferry; hotel accommodation hostel lodging inn; accommodation: hotel hostel;
suitcase luggage baggage; passport travel_document; reservation booking; book reserve; beach seaside coast shore; sea ocean;
mountain hill peak; forest woods; river stream; camp camping tent; hike hiking trek; usa us united_states america;
uk united_kingdom britain england; itinerary plan; depart departure leave; arrive arrival; return come_back; window_seat aisle_seat;
backpack rucksack; trip excursion outing
# Vehicles
vehicle: car van truck motorcycle bike bus; car automobile auto; car: sedan suv hatchback convertible; bike bicycle;
motorcycle motorbike moped scooter; truck lorry pickup; driving_licence driver_license; license licence; petrol gas gasoline fuel;
electric_car ev; licence_plate number_plate registration; garage mechanic workshop; park parking; accident crash collision; tyre wheel;
trunk boot
# Money
money cash fund; price cost; cost price expense; expensive pricey costly dear; cheap inexpensive affordable; bank_account account;
credit_card card; iban account_number; savings save; debt loan owe; loan mortgage; invest investment stock share; pension retirement;
insurance insurer policy; bill invoice; buy purchase acquire get; discount sale; donate charity; currency: euro dollar pound yen franc;
tip gratuity; subscription membership; subscription: netflix spotify; allowance pocket_money; rich wealthy; borrow lend; gift present;
fee charge
# Pets and animals
pet: dog cat hamster rabbit parrot goldfish turtle guinea_pig; animal: dog cat horse cow sheep bird; dog puppy hound pooch;
dog: labrador retriever poodle beagle dachshund terrier shepherd spaniel; cat kitten kitty; bird: parrot canary budgie chicken duck;
budgie parakeet; horse pony; rabbit bunny; fish goldfish; reptile: snake lizard turtle gecko; turtle tortoise; leash lead; adopt rescue;
insect: bee ant wasp beetle; chicken hen; vet animal_doctor; aquarium fish_tank
# Hobbies, likes and habits
hobby pastime interest leisure free_time spare_time; hobby: paint read garden photography knit chess cook fishing hike dance;
like love enjoy fond_of keen_on fan_of; like prefer; favourite prefer best; prefer favour; dislike hate detest loathe cannot_stand;
avoid stay_away_from; want wish would_like; plan intend going_to; fear afraid scared phobia frightened; goal aim objective target ambition;
dream wish; habit routine ritual;
sport: football soccer tennis basketball volleyball swim run cycle ski golf hockey rugby cricket badminton climb; sport athletics;
football soccer; run jog; cycle bike_ride; ski skiing snowboard; climb climbing boulder; yoga pilates;
martial_art: judo karate boxing taekwondo; gym fitness_studio; team club; match game; game: chess video_game board_game poker;
video_game gaming gamer; competition contest tournament; music: rock jazz classical pop; song track tune; band group;
instrument: guitar piano violin cello drums flute trumpet saxophone; musical_instrument instrument; violin fiddle; concert gig; sing choir;
album record; film movie; film: comedy thriller documentary; series show tv_show; television tv telly; cinema movie_theater; book novel;
book: novel biography; read reading; newspaper paper; poem poetry; draw sketch; photography photo; photo picture image; knit crochet sew;
craft handicraft; collect collection; volunteer charity; party celebration celebrate; museum gallery; weekend saturday sunday;
early_bird morning_person; meditate meditation mindfulness; walk stroll; shop shopping; fish fishing; sail sailing;
language speak fluent tongue; language: english german french spanish italian chinese japanese; religion faith belief;
religion: christian muslim jewish buddhist hindu; church mass; wake_up get_up; bedtime go_to_bed; opinion think view; funny humour;
angry mad annoyed upset; happy glad joyful; sad unhappy; nervous anxious worried; worry concern; shy introvert; outgoing extrovert;
personality character; kind nice friendly; smart clever intelligent; beautiful pretty handsome; strange weird odd; big large huge;
small little tiny
# Devices and documents
device gadget; device: phone laptop tablet computer; phone telephone mobile cell smartphone; phone: iphone android;
cell_phone mobile_phone smartphone; phone_number telephone_number; computer pc; computer: laptop macbook desktop; laptop notebook;
tablet ipad; screen monitor display; headphones earphones earbuds headset; router modem; wifi wi_fi wireless wlan; internet web online;
website site web_page; app application; software program; operating_system os; operating_system: windows linux macos;
password passcode pin code; login log_in sign_in credentials; username user_name; email mail e_mail; message text sms;
social_media: facebook instagram twitter; browser: chrome firefox safari; editor ide;
programming_language: python java javascript rust typescript; repository repo; bug error defect; file document;
document: passport contract certificate; document paper; contract agreement; id identity_card id_card; licence permit; note memo;
calendar schedule diary; signature sign; folder directory; watch smartwatch; config configuration setting; deploy deployment release;
terminal shell console; delete remove; create make; update change; error failure; meeting_notes minutes
# Clothes and things
clothes clothing outfit garment; clothes: shirt trousers dress jacket shoe; trousers pants; jumper sweater pullover; coat jacket;
trainers sneakers; shoe boot; hat cap; jewellery: ring necklace earring bracelet; bag handbag purse;
colour: red blue green yellow purple orange pink black white brown; hair: blond brunette; blond blonde
# Time and numbers
noon midday; autumn fall; season: spring summer autumn winter; daily every_day; weekly every_week; monthly every_month;
yearly annually every_year; often frequently; january jan; february feb; march mar; april apr; june jun; july jul; august aug;
september sept sep; october oct; november nov; december dec; christmas xmas; monday mon; tuesday tue; wednesday wed; thursday thu;
friday fri; zero 0; one 1; two 2; three 3; four 4; five 5; six 6; seven 7; eight 8; nine 9; ten 10; eleven 11; twelve 12; thirteen 13;
fourteen 14; fifteen 15; sixteen 16; seventeen 17; eighteen 18; nineteen 19; twenty 20; thirty 30; forty 40; fifty 50; sixty 60;
seventy 70; eighty 80; ninety 90; hundred 100; thousand 1000; first 1st; second 2nd; third 3rd; twice two_times;
weather: rain snow sun storm; rain rainy; start begin; end finish stop
# Actions
begin start commence launch; end finish stop quit give_up; buy purchase; get receive obtain; give donate gift; help assist support;
ask request; answer reply respond; speak talk chat; tell say; meet encounter; watch look; lose misplace; find discover; break damage;
build construct; change modify switch; choose pick select; try attempt; use utilise utilize; need require must;
own possess belong have_got; keep store; store keep; store shop supermarket; supermarket grocery; hurry rush; show display; send ship;
deliver delivery; join sign_up enrol enroll register; cancel call_off; postpone delay reschedule; attend go_to; invite invitation;
live_with share_flat; raise bring_up; improve better; worst bad terrible; good great excellent; important crucial vital essential;
difficult hard tough; easy simple; fast quick rapid; problem issue trouble; reason why because; way method approach; idea suggestion;
advice recommendation tip; recommend suggest; place location spot; event occasion; secret confidential; quiet silent; loud noisy;
theft steal burglary robbery
`;

const SAME_TYPES = `
same_as also_known_as known_as also_called called aka alias alias_of has_alias nickname_of has_nickname synonym synonym_of has_synonym
equivalent_to abbreviation_of short_for stands_for
`;

const KIND_TYPES = `
is_a is_an is_a_kind_of kind_of is_a_type_of type_of instance_of subclass_of
`;

export const ENGLISH: Language = {
  name: "English",
  alphabet: /^[a-z]+$/,
  affixes: /['](?:s|m|re|ve|ll|d)$/,
  // Porter's stemmer leaves "fly" and makes "flies" "fli".
  stem: (word) => stemmer(word).replace(/^([^aeiou]+)y$/, "$1i"),
  stopWords: wordsIn(STOP_WORDS),
  fillers: groupsIn(FILLERS),
  irregularForms: groupsIn(IRREGULAR_FORMS),
  get synonyms() {
    return synonymsIn(SYNONYMS);
  },
  sameTypes: wordsIn(SAME_TYPES),
  kindTypes: wordsIn(KIND_TYPES),
};
