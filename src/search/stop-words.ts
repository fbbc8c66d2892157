/** Words of questions that say nothing about code (data), including words that are keywords too (for, if, with). */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about all also an and any are as at be been being between but by can code could did do does doing done for from
   get gets had has have having how i if in into is it its like me my of on or our out over so some such that the
   their them then there these they this those through to under up us use used uses using via was way we were what
   when where which while who why will with within would you your vs e.g i.e work works implemented implementation
   implements defined definition find show
   aren couldn didn doesn don hasn haven isn shouldn wasn weren wouldn`.split(/\s+/),
);
