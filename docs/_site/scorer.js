// How results of a search are ordered: guides first, then classes and functions, then single attributes, which would hide them;
// last the pages about the program itself.
var Scorer = {
  score: ([page, , , descr, score]) => {
    if (/\b(property|attribute|method)\b/.test(descr || "")) return score - 20;
    return /^(architecture|benchmarks|changes|contributing|release|reliability|reliability\/.*)$/.test(page) ? score - 10 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
