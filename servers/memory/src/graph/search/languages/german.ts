// German: data of search. Groups of words are separated by semicolons (language.ts).
import { stemmer } from "@orama/stemmers/german";
import { groupsIn, synonymsIn, wordsIn, type Language } from "./language.ts";

const STOP_WORDS = `
aber alle allem allen aller alles als also am an andere auch auf aus bei beim bin bis bist bitte da damals damit dann das dass dein deine deinem
deinen deiner dem den der des dich die dies diese diesem diesen dieser dieses dir doch du durch ein eine einem einen einer eines er es etwas
euch euer eure für gab gibt hab habe haben hast hat hatte hatten ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in irgendein ist ja jede jeder
jedes kann kannst kein keine können man mein meine meinem meinen meiner mich mir mit mal nach nicht noch nun nur ob oder sag sage schon sehr
sein seine seinem seinen seiner seit sich sie sind so über um und uns unser unsere unter vom von vor wann war waren warum was weißt wem wen
wenn wer werden wessen wie wieder will wird wo woher wohin worden wurde wurden zeig zeige zu zum zur
`;

const FILLERS = `
weißt du; kannst du mir sagen; sag mir; sage mir; erinnere mich; erzähl mir; was für ein; was für eine; was für einen; wie viele; wie viel; wie oft;
wie lange; gibt es; ich möchte wissen; informationen über; alles über; wie heißt
`;

/** First the word, then its forms whose beginnings, or whose stems, differ from it. */
const IRREGULAR_FORMS = `
arbeiten arbeitet arbeitete gearbeitet; beginnen beginnt begann begonnen; bekommen bekommt bekam; besuchen besucht besuchte;
bleiben bleibt blieb geblieben; brauchen braucht brauchte gebraucht; bringen bringt brachte gebracht; denken denkt dachte gedacht;
essen isst aß gegessen; fahren fährt fuhr gefahren; fallen fällt fiel gefallen; finden findet fand gefunden; fliegen fliegt flog geflogen;
geben gibt gab gegeben; gehen geht ging gegangen; gehören gehört gehörte; gewinnen gewinnt gewann gewonnen; hassen hasst hasste gehasst;
heiraten heiratet heiratete geheiratet; heißen heißt hieß geheißen; helfen hilft half geholfen; kaufen kauft kaufte gekauft;
kennen kennt kannte gekannt; kochen kocht kochte gekocht; kommen kommt kam gekommen; kosten kostet kostete gekostet;
laufen läuft lief gelaufen; leben lebt lebte gelebt; lernen lernt lernte gelernt; lesen liest las gelesen; lieben liebt liebte geliebt;
liegen liegt lag gelegen; machen macht machte gemacht; mieten mietet mietete gemietet; mögen mag mochte gemocht; nehmen nimmt nahm genommen;
rauchen raucht rauchte geraucht; reisen reist reiste gereist; rufen ruft rief gerufen; sagen sagt sagte gesagt; schlafen schläft schlief geschlafen;
schreiben schreibt schrieb geschrieben; schwimmen schwimmt schwamm geschwommen; sehen sieht sah gesehen; singen singt sang gesungen;
sitzen sitzt saß gesessen; spielen spielt spielte gespielt; sprechen spricht sprach gesprochen; stehen steht stand gestanden;
sterben stirbt starb gestorben; studieren studiert studierte; tragen trägt trug getragen; treffen trifft traf getroffen;
treiben treibt trieb getrieben; trinken trinkt trank getrunken; tun tut tat getan; umziehen umgezogen; verkaufen verkauft verkaufte;
verlieren verliert verlor verloren; vermeiden vermeidet vermied vermieden; wachsen wächst wuchs gewachsen; warten wartet wartete gewartet;
waschen wäscht wusch gewaschen; wissen weiß wusste gewusst; wohnen wohnt wohnte gewohnt; zahlen zahlt zahlte gezahlt; ziehen zieht zog gezogen;
allergie allergien allergisch; arzt ärzte; haus häuser; buch bücher; mann männer; land länder; 
sohn söhne; baum bäume; zahn zähne; freund freundes; museum museen; konto konten; firma firmen; thema themen; cello celli
`;

/** Words that mean the same, and before a colon the word for all that follow it; `_` is a blank. */
const SYNONYMS = `
# Familie und Menschen
mutter mama mami; vater papa vati; eltern: mutter vater; geschwister: schwester bruder; ehepartner gatte gattin;
ehepartner: ehefrau ehemann; partner: freund freundin ehefrau ehemann; ehefrau frau; ehemann mann; kind: sohn tochter baby; sohn junge;
tochter mädchen; baby säugling; großeltern: großmutter großvater; großmutter oma; großvater opa; enkel enkelin enkelkind;
verwandter: tante onkel cousin cousine neffe nichte; cousin vetter; cousine base; familie: mutter vater bruder schwester sohn tochter;
freund kumpel; mitbewohner wohngemeinschaft wg; mensch person leute; verlobt verlobung; heiraten hochzeit trauung verheiratet;
scheidung geschieden getrennt; name heißen nennen; nachname familienname; geburtstag geboren geburtsdatum; alter alt;
jugendlicher teenager
# Arbeit
arbeit beruf job stelle tätigkeit; beruf: lehrer arzt ingenieur programmierer anwalt; arbeiten tätig beschäftigt;
chef chefin boss vorgesetzter leiter; kollege kollegin mitarbeiter; firma unternehmen betrieb arbeitgeber;
gehalt lohn einkommen verdienst verdienen; besprechung meeting sitzung termin; kunde auftraggeber; projekt auftrag;
frist abgabetermin deadline; kündigen kündigung; rente ruhestand pension; lehrer dozent; anwalt rechtsanwalt jurist;
programmierer entwickler informatiker; kellner bedienung; büro arbeitsplatz; homeoffice heimarbeit; universität uni hochschule;
schule gymnasium; studium studieren student; prüfung klausur examen test; note zensur; ausbildung lehre; abschluss diplom bachelor master
# Zuhause
wohnen leben zuhause adresse wohnort; wohnung apartment; zuhause: wohnung haus; adresse anschrift; vermieter eigentümer hausbesitzer;
umziehen umzug; stadt ort; heimat herkunft stammen; zimmer raum; zimmer: küche bad schlafzimmer wohnzimmer; bad badezimmer toilette wc;
sofa couch; herd ofen; spülmaschine geschirrspüler; müll abfall; kaputt defekt; reparieren reparatur; putzen sauber; balkon terrasse;
möbel: sofa bett tisch stuhl schrank; aufzug fahrstuhl lift; pflanze: baum blume rose; werkzeug: hammer bohrer säge
# Essen
mahlzeit essen speise gericht; mahlzeit: frühstück mittagessen abendessen; abendessen abendbrot;
getränk: kaffee tee bier wein saft wasser milch; trinken getränk; alkohol: bier wein schnaps; kochen zubereiten;
restaurant lokal gaststätte; obst frucht; obst: apfel banane birne traube kirsche erdbeere;
gemüse: karotte kartoffel tomate zwiebel spinat; karotte möhre; fleisch: rind schwein huhn lamm wurst; fisch: lachs thunfisch forelle;
nuss: erdnuss mandel haselnuss walnuss; brötchen semmel; süßigkeit: schokolade; vegetarier vegetarisch; ernährung diät; scharf würzig;
lecker köstlich; sahne rahm; milchprodukt: milch käse butter joghurt
# Gesundheit
arzt ärztin doktor mediziner; arzt: zahnarzt hausarzt kinderarzt augenarzt; krankenhaus klinik spital; medikament medizin arznei tablette;
krankheit erkrankung krank; krankheit: diabetes asthma krebs grippe migräne; allergie allergisch unverträglichkeit; vermeiden meiden;
schmerz weh; kopfschmerz migräne; verletzung verletzt wunde; impfung geimpft; operation op; schlafen schlaf; sport training trainieren;
rauchen zigarette; müde erschöpft; sterben tot gestorben verstorben tod; schwanger schwangerschaft; gewicht wiegen
# Reisen, Verkehr und Geld
reise ausflug fahrt trip; reise: urlaub; urlaub ferien; reisen besuchen fahren; flug fliegen flugzeug; zug bahn; boot schiff;
hotel unterkunft herberge; koffer gepäck; reisepass pass ausweis; buchen buchung reservierung; strand meer küste; berg gebirge;
wandern wanderung; land staat; fahrzeug: auto motorrad fahrrad lkw bus; auto wagen pkw; fahrrad rad; lkw lastwagen;
führerschein fahrerlaubnis; tanken benzin sprit; geld bargeld; preis kosten; billig günstig preiswert; konto bankkonto iban;
karte kreditkarte; schulden kredit darlehen; sparen erspartes; rechnung quittung beleg; kaufen erwerben einkaufen anschaffen;
bezahlen zahlen; spenden spende; geschenk schenken; abo abonnement
# Tiere und Freizeit
haustier: hund katze hamster kaninchen vogel meerschweinchen; tier: hund katze pferd kuh vogel; hund welpe;
hund: dackel pudel labrador schäferhund; katze kater kätzchen; pferd pony; kaninchen hase; vogel: papagei wellensittich huhn;
hobby freizeit; hobby: lesen malen fotografieren gärtnern stricken kochen; mögen lieben gern gerne; lieblings favorit bevorzugen;
angst fürchten; ziel vorhaben plan; traum wunsch wünschen; sport: fußball tennis schwimmen laufen radfahren ski klettern handball;
laufen joggen rennen; klettern bouldern; verein club; spiel spielen; wettkampf turnier; musik: rock jazz klassik; lied song;
instrument: gitarre klavier geige cello flöte trompete; geige violine; singen chor; film kino; fernsehen fernseher; buch roman; bild foto;
malen zeichnen; tanzen tanz; feier party feiern fest; sprache: englisch deutsch französisch spanisch; aufstehen aufwachen; religion glaube
# Geräte, Dokumente und Zeit
gerät: handy laptop tablet computer; handy telefon smartphone mobiltelefon; telefonnummer handynummer; computer rechner pc;
laptop notebook; bildschirm monitor; internet wlan; passwort kennwort pin; anmelden login; e_mail mail; nachricht sms; datei dokument;
programm software app; fehler bug problem; ausweis personalausweis; notiz notieren; kalender termin; kleidung: hemd hose kleid jacke schuh;
hose jeans; jacke mantel; farbe: rot blau grün gelb lila schwarz weiß braun; morgen früh; samstag sonnabend; januar jan; februar feb;
september sept; oktober okt; dezember dez; beginnen anfangen starten; enden aufhören beenden; bekommen erhalten; helfen hilfe unterstützen;
fragen frage; antworten antwort; sprechen reden; treffen begegnen; wählen aussuchen; brauchen benötigen; besitzen haben; schwierig schwer;
leicht einfach; grund warum weil; idee vorschlag; eins 1; zwei 2; drei 3; vier 4; fünf 5; sechs 6; sieben 7; acht 8; neun 9; zehn 10;
elf 11; zwölf 12; zwanzig 20; hundert 100
`;

const SAME_TYPES = "ist_gleich auch_bekannt_als auch_genannt genannt spitzname_von abkürzung_von steht_für";
const KIND_TYPES = "ist_ein ist_eine ist_eine_art art_von";

export const GERMAN: Language = {
  name: "German",
  alphabet: /^[a-z]+$/,
  affixes: /[']s$/,
  stem: stemmer,
  stopWords: wordsIn(STOP_WORDS),
  fillers: groupsIn(FILLERS),
  irregularForms: groupsIn(IRREGULAR_FORMS),
  get synonyms() {
    return synonymsIn(SYNONYMS);
  },
  sameTypes: wordsIn(SAME_TYPES),
  kindTypes: wordsIn(KIND_TYPES),
};
