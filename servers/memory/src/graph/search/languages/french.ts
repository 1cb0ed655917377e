// French: data of search. Groups of words are separated by semicolons (language.ts).
import { stemmer } from "@orama/stemmers/french";
import { groupsIn, synonymsIn, wordsIn, type Language } from "./language.ts";

const STOP_WORDS = `
à ai alors as au aucun aussi autre aux avec avez avons avait avaient ce ces cet cette ceux chez comme comment dans de des donc du elle elles en
es est est-ce et étaient était été être eu eux fait faut il ils je jamais la là le les leur leurs lui ma mais me même mes moi mon ne ni nos notre nous
on ont ou où par pas peux peut plus pour pourquoi qu quand que quel quelle quelles quelques quels qui quoi sa sais sans se sera ses si son sont
sous suis sur ta te tes toi ton tous tout toute toutes très tu un une va vais vas vers veux vos votre vous y a ça dis dit
`;

const FILLERS = `
est-ce que; qu'est-ce que; qu'est-ce qui; sais-tu; savez-vous; peux-tu me dire; pouvez-vous me dire; dis-moi; dites-moi; rappelle-moi;
parle-moi de; quel genre de; quelle sorte de; quel type de; combien de; y a-t-il; il y a; je voudrais savoir; informations sur; tout sur
`;

/** First the word, then its forms whose beginnings, or whose stems, differ from it. */
const IRREGULAR_FORMS = `
aller vais vas va vont allé allait ira; avoir ont avait aura; boire bois boit buvons boivent bu buvait; connaître connaît connais connu;
conduire conduit conduisait; courir court couru; croire croit cru; devoir doit devait dû; dire disait dites; dormir dort dormi;
écrire écrit écrivait; faire faisait font; finir finit fini; lire lit lu lisait; mettre met mis; mourir meurt mort mourut;
naître né née naît; partir part parti; perdre perd perdu; pouvoir peut pouvait pu; prendre prend pris prenait; recevoir reçoit reçu;
savoir sait savait su; sortir sort sorti; suivre suit suivi; tenir tient tenu; vendre vend vendu; venir vient venu viens; vivre vit vécu vivait;
voir voit vu vois voyait; vouloir veut voulait; acheter achète; appeler appelle; jeter jette; manger mangeait mangeons;
oeil yeux; travail travaux; animal animaux; cheval chevaux; journal journaux; gâteau gâteaux; bateau bateaux; oiseau oiseaux; genou genoux;
bijou bijoux; cheveu cheveux; jeu jeux; allergie allergique allergies; voyage voyageur; médecin médecine; végétarien végétarienne;
préféré préférée préférés préférence; ami amie; épicé épicée; copain copine; infirmier infirmière; cuisine cuisiner
`;

/** Words that mean the same, and before a colon the word for all that follow it; `_` is a blank. */
const SYNONYMS = `
# Famille et personnes
mère maman; père papa; parent: mère père; frère frangin; soeur frangine; fratrie: frère soeur; conjoint époux épouse; conjoint: mari femme;
partenaire compagnon compagne; partenaire: petit_ami petite_amie; mari époux; femme épouse; enfant gosse gamin; enfant: fils fille bébé;
fils garçon; bébé nourrisson; grand_parent: grand_mère grand_père; grand_mère mamie mémé; grand_père papi pépé;
famille: mère père frère soeur fils fille; ami copain pote; amie copine; colocataire coloc; personne gens; marier mariage noces;
divorce séparé; fiancé fiançailles; nom appeler nommer; anniversaire naissance naître né; âge an; adolescent ado
# Travail
travail emploi métier profession boulot poste; métier: professeur médecin ingénieur avocat infirmier; travailler bosser;
patron chef directeur supérieur manager responsable; entreprise société compagnie employeur; salaire paie revenu; réunion rendez_vous;
échéance date_limite délai; embaucher recruter; licencier renvoyer; démissionner quitter; professeur enseignant prof; avocat juriste;
développeur programmeur informaticien; université fac; école collège lycée; étudier études étudiant; examen test contrôle;
diplôme licence master; cours leçon; cv curriculum
# Maison
habiter vivre demeurer résider adresse domicile; maison domicile logement; maison: appartement; adresse domicile; appartement logement;
propriétaire bailleur; déménager déménagement; origine venir; pièce chambre; pièce: cuisine salon; salle_de_bain toilettes; canapé sofa;
placard armoire; frigo réfrigérateur; four cuisinière; lave_linge machine_à_laver; poubelle déchets ordures; cassé défectueux panne;
réparer réparation; nettoyer ménage; balcon terrasse; meuble: canapé lit table chaise; plante: arbre fleur rose
# Nourriture
repas: petit_déjeuner déjeuner dîner souper; repas plat; dîner souper; manger consommer; boisson: café thé bière vin jus eau lait;
boire boisson; alcool: bière vin; cuisiner cuisine préparer; restaurant resto; café bistrot;
fruit: pomme banane poire raisin cerise fraise; légume: carotte tomate oignon épinard; viande: boeuf porc poulet agneau jambon;
poisson: saumon thon truite; noix: cacahuète amande noisette; dessert gâteau; végan végétalien; régime alimentation; épicé piquant;
délicieux bon; produit_laitier: lait fromage beurre yaourt; fruit_de_mer: crevette crabe huître moule
# Santé
médecin docteur; médecin: dentiste pédiatre cardiologue chirurgien; hôpital clinique; médicament remède comprimé; maladie malade;
maladie: diabète asthme cancer grippe migraine; allergie allergique intolérance; douleur mal; blessure blessé; vaccin vacciné;
opération chirurgie; dormir sommeil; sport exercice entraînement; fumer cigarette; fatigué épuisé; mourir mort décès décédé;
enceinte grossesse; poids peser
# Voyages, transports et argent
voyage séjour; voyage: vacances; vacances congé; voyager visiter aller; vol avion; bateau navire; hôtel hébergement auberge; valise bagage;
réserver réservation; plage mer côte; randonnée marche; véhicule: voiture moto vélo camion bus; voiture auto bagnole; vélo bicyclette;
essence carburant; prix coût coûter; cher coûteux; compte iban; dette emprunt prêt crédit; économiser épargne; impôt taxe; facture reçu;
acheter achat; don donner; cadeau offrir
# Animaux et loisirs
animal: chien chat cheval vache oiseau; animal_de_compagnie: chien chat hamster lapin oiseau; chien chiot toutou;
chien: labrador caniche teckel; chat chaton; cheval poney; oiseau: perroquet perruche canari; loisir passe_temps hobby;
loisir: lecture peinture jardinage tricot; aimer adorer apprécier; préféré favori préférer; détester haïr; peur craindre phobie;
but objectif; rêve souhait; sport: football tennis natation course vélo ski escalade; football foot; courir course jogging; nager natation;
club équipe; jeu jouer; compétition tournoi; musique: rock jazz classique; instrument: guitare piano violon flûte trompette;
chanter chorale; film cinéma; télé télévision; livre roman; lire lecture; photo image; peindre dessiner; danse danser; fête soirée;
langue: anglais français allemand espagnol; lever réveiller; religion foi
# Appareils, documents et temps
appareil: téléphone ordinateur tablette; téléphone portable mobile smartphone; ordinateur pc; ordinateur: portable; écran moniteur;
internet wifi; mot_de_passe code; connexion identifiant; courriel email mail; message sms texto; fichier document;
logiciel programme application; erreur bug problème; calendrier agenda; vêtement: chemise pantalon robe veste chaussure; pantalon jean;
manteau veste; couleur: rouge bleu vert jaune violet noir blanc; commencer débuter; finir terminer arrêter; recevoir obtenir; aider aide;
demander question; répondre réponse; parler discuter; changer modifier; besoin falloir; posséder avoir; difficile dur; facile simple;
rapide vite; raison pourquoi; idée conseil; un 1; deux 2; trois 3; quatre 4; cinq 5; six 6; sept 7; huit 8; neuf 9; dix 10; onze 11;
douze 12; vingt 20; cent 100
`;

const SAME_TYPES = "identique_à aussi_appelé appelé alias_de surnom_de abréviation_de signifie";
const KIND_TYPES = "est_un est_une type_de sorte_de";

export const FRENCH: Language = {
  name: "French",
  alphabet: /^[a-z]+$/,
  affixes: /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)[']/,
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
