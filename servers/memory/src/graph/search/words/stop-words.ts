// Words of questions and sentences that say nothing about what is meant, in English.

export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about all also am an and any anybody anyone anything are as at be been being both but by can could did do does doing done each ever
   every few find for from get gets give had has have having he her hers him his how i if in into is it its just know known let list many
   me mine more most much my myself of off on once one only or other our ours out own please recall remember she should show since so some
   someone something such tell than that the their theirs them then there these they thing things this those to too until up us
   very was we were what when where whether which while who whom whose why will with would you your yours
   don doesn didn isn aren wasn weren won can't cannot couldn shouldn wouldn hasn haven hadn ll re ve`
    .split(/\s+/)
    .filter((word) => word !== ""),
);
