// Everyday words by what they are about: the hand-made knowledge of the test embedding. Word stems, which stand for all words that begin with
// them; a word may be in several groups.

export const CONCEPTS: readonly string[] = `
home: live living lives lived reside residence resident resides home house flat apartment dwell address housing settle settled household based
move: move moved moving relocat migrat emigrat resettle transfer
city: city town village lisbon porto berlin paris london madrid rome vienna tokyo municipality neighbourhood neighborhood place where
country: country nation portugal germany france spain italy japan abroad homeland
drink: drink drinks drank beverage tea coffee espresso cappuccino juice beer wine water lemonade cocktail sip cola cocoa milk matcha
food: food eat eats ate meal dish cuisine lunch dinner breakfast snack recipe cook cooking restaurant pizza pasta sushi bread cheese rice soup curry ramen
vegan: vegan vegetarian plant-based meat meatless diet
allergy: allerg intoleran reaction hypersensitiv avoid peanut gluten lactose nut pollen
like: like likes liked love loves loved prefer prefers preferred preference enjoy enjoys enjoyed fond favourite favorite keen fan
dislike: dislike hate hates detest loath avoid cannot-stand aversion despise
job: job work works worked working occupation profession career employ employed employer employment role position living company firm hired hire joined engineer
boss: boss manager supervisor lead leads leader chief head director reports superior
colleague: colleague coworker teammate team peer
salary: salary wage pay paid income earn earnings compensation
fired: fired quit resign resigned left retire retired laid-off dismissed leave
doctor: doctor physician medic nurse surgeon hospital clinic gp paediatrician pediatrician
illness: ill illness sick sickness disease condition diagnosed diabetes asthma flu fever injur health unwell broke fracture
medicine: medicine medication drug pill tablet antibiotic vaccine treatment therapy insulin
teacher: teacher professor lecturer tutor instructor educator teach teaches taught
study: study studies studied student university college degree school course learn learns learning learned graduat major class academic education lesson
law: lawyer attorney solicitor barrister legal law court judge
engineer: engineer developer programmer coder software programming code codes computer
language: language speak speaks spoke fluent tongue linguist portuguese german french spanish italian japanese english bilingual
write: write writes wrote writing author novel writer book poet poem journalist story
read: read reads reading book books novel literature library
music: music musician instrument guitar piano violin cello drum sing sings singer band song concert choir orchestra play plays melody
sport: sport sports exercise athletic athlete football soccer tennis basketball swim swims swimming run runs running marathon jog cycle cycling climb climbing gym fitness yoga train workout
bike: bike bicycle cycle cycling cyclist
car: car cars vehicle automobile drive drives drove driving auto truck motor tesla commute
travel: travel travels trip journey vacation holiday visit visits visited tour flight flew flies fly voyage tourist
transport: train bus tram metro subway rail commute commutes transport
pet: pet pets dog dogs puppy cat cats kitten hamster parrot rabbit animal hound terrier
dog: dog dogs puppy hound terrier labrador canine retriever
cat: cat cats kitten feline
marry: marry married marriage wed wedding wife husband spouse partner engaged fiance fiancee
child: child children kid kids son daughter baby toddler offspring born birth
parent: parent mother father mum mom dad
sibling: sibling brother sister
family: family relative aunt uncle cousin nephew niece grandmother grandfather kin
friend: friend friends buddy pal mate companion
birthday: birthday born birth birthdate age old anniversary
meet: meet meets met meeting appointment call conference gathering
money: money cost price expensive cheap budget dollar euro financ bank account savings invest
buy: buy buys bought purchase purchased acquire acquired shop shopping order ordered
sell: sell sells sold sale
phone: phone telephone mobile cell smartphone number call iphone android
contact: contact email mail reach phone address
computer: computer laptop pc mac macbook machine desktop notebook
garden: garden gardening plant plants flower flowers vegetable tomato grow grows
art: art paint paints painting painter draw draws drawing artist sketch sculpt ceramic pottery
photo: photo photograph camera picture lens
film: film movie cinema series watch watches documentary director
game: game games chess board gaming video puzzle
cook: cook cooks cooking bake bakes baking baker chef kitchen recipe
hobby: hobby hobbies pastime leisure spare spend interest interests free-time
fear: fear fears afraid scared phobia anxious terrified frightened
happy: happy glad joy cheerful pleased delighted
sad: sad unhappy grief mourn depressed upset
sleep: sleep sleeps asleep bed insomnia nap night awake wake early
morning: morning dawn early sunrise
evening: evening night late dusk
colour: colour color red blue green yellow purple orange
clothes: clothes clothing wear wears dress shirt shoe shoes jacket outfit
religion: religion church faith christian muslim buddhist jewish pray
politics: politics election vote party government minister
weather: weather rain snow sun storm climate warm cold hot
start: start starts started begin began begun launch open opened founded
end: end ends ended finish finished stop stopped close closed cancel
project: project task plan plans product initiative programme program deliver deadline due
help: help helps helped support assist volunteer volunteers charity
problem: problem issue bug fault error trouble broken fail failed
fix: fix fixed repair solve solved mend resolve
database: database postgres postgresql sqlite mysql sql storage
deploy: deploy deployment release ship server host hosting cloud kubernetes
test: test tests testing exam check verify
document: document documentation docs report paper notes note
leader: founder owner ceo president own owns
sea: sea ocean beach sail sailing boat surf surfing dive diving ship
mountain: mountain hike hikes hiking trek climb alps ski skiing snowboard
glasses: glasses sight eyes vision blind
deaf: deaf hearing ear
left-handed: left-handed handed hand
smoke: smoke smokes smoking cigarette tobacco
alcohol: alcohol wine beer whisky whiskey drunk sober
nationality: nationality citizen citizenship passport origin native
`
  .trim()
  .split("\n");
