"""Positions of draughts in which captures are many or long, or several ways give one move."""

MOST_CAPTURES = {
    "brazilian": "W:WK1,K4,K5,K12,K28,K32:BK6,K8,K14,K16,K18,K19,K23,K26,K27,K30",
    "international": "W:WK4,K5,15,K16,K24,K26,K36,K46,47:"
    "BK2,K7,K8,K11,K13,K19,K20,K21,K29,K30,K31,K33,K35,K38,K41,K42",
}
# several ways give the same move, or captures end where they began
CIRCLES = {
    "brazilian": [
        "W:WK2,K27:BK1,6,7,K14,17,K18,19,24,K25,K32",
        "B:W5,12,16,17,18,19,23,26,27,32:B13,21,K30,K31",
        "W:WK4,K11,K18,K21,K22:BK1,2,K8,K9,K10,K16,K17,24,K25,K31",
    ],
    "international": [
        "B:WK5,K13,17,20,K27,32,33,K35,39,42,K45:BK48",
        "B:WK2,K4,K5,6,12,13,14,18,23,25,26,28,K30,K31,36,37,K40,K46,K49:B3,10,15,K41,43,K44,K48",
        "W:W6,10,K13,K40,K46,K47:BK9,K16,K17,K26,27,28,29,K38,K39,K42,K44",
    ],
}
