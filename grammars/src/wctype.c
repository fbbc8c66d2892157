// Classes of letters as in the C locale, in which only ASCII counts. Scanners of grammars ask for them, and native parsers answer by
// the C library of their system; these answers make trees equal on every system.
#include <wctype.h>
#undef iswdigit

static int within(wint_t letter, wint_t first, wint_t last) { return letter >= first && letter <= last; }

int iswdigit(wint_t letter) { return within(letter, '0', '9'); }
int iswupper(wint_t letter) { return within(letter, 'A', 'Z'); }
int iswlower(wint_t letter) { return within(letter, 'a', 'z'); }
int iswalpha(wint_t letter) { return iswupper(letter) || iswlower(letter); }
int iswalnum(wint_t letter) { return iswalpha(letter) || iswdigit(letter); }
int iswspace(wint_t letter) { return letter == ' ' || within(letter, '\t', '\r'); }
int iswblank(wint_t letter) { return letter == ' ' || letter == '\t'; }
int iswgraph(wint_t letter) { return within(letter, '!', '~'); }
int iswprint(wint_t letter) { return within(letter, ' ', '~'); }
int iswpunct(wint_t letter) { return iswgraph(letter) && !iswalnum(letter); }
int iswcntrl(wint_t letter) { return letter < ' ' || letter == 127; }
int iswxdigit(wint_t letter) { return iswdigit(letter) || within(letter, 'A', 'F') || within(letter, 'a', 'f'); }
wint_t towlower(wint_t letter) { return iswupper(letter) ? letter + 32 : letter; }
wint_t towupper(wint_t letter) { return iswlower(letter) ? letter - 32 : letter; }
