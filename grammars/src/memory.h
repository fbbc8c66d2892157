#include <stdlib.h>

/** Takes back every block at once: for a new text, of which nothing was kept. Comes before the first `malloc`. */
void forget_all(void);
