"""One ruleset of each family, and for how many it is played here."""

SIZES = {
    "scrabble-sk-2022-qt": 10,
    "gomoku-cfp": 6,
    "pisqworky-2025-ss-ot": 12,
    "carcassonne-cz-qualification": 7,
    "othello-pl-2021": 9,
}
