/** Methods of values that hold others, of the libraries of all languages together: what a call of them gives. */
import { wordSet } from '../words.js';

/** Methods that return the value that a wrapper holds, so that its members follow. */
export const HANDING_ON = wordSet(
  `unwrap expect unwrap_or unwrap_or_default unwrap_or_else as_ref as_mut borrow borrow_mut lock read write clone cloned copied
   to_owned as_deref as_deref_mut into_inner deref await get orElse orElseThrow orElseGet getOrElse getOrThrow getOrNull value
   Value Result result join block copy also apply let takeIf unwrapOrThrow ok iter freeze dup tap itself self`,
);
/** Methods that give any value they are called on to the function that they get. */
export const LENDING_METHODS = wordSet(
  'let also apply run takeIf takeUnless use with tap then yield_self ifEmpty orEmpty',
);
/** Methods of wrappers that give the value they hold to the function that they get. */
export const UNWRAPPING_METHODS = wordSet(
  `ifPresent ifPresentOrElse map flatMap filter thenApply thenAccept thenCompose thenRun subscribe doOnNext doOnSuccess ContinueWith
   and_then map_or or_else`,
);
/** Methods of collections that give one of their elements. */
export const ELEMENT_METHODS = wordSet(
  `at get find pop shift first last head next peek poll remove removeFirst removeLast removeLastOrNull firstOrNull lastOrNull
   single singleOrNull findLast elementAt getOrNull getOrDefault First FirstOrDefault Last LastOrDefault Single SingleOrDefault
   ElementAt Peek Pop Dequeue front back top begin get_mut first_mut last_mut unwrap sample min max pop_front pop_back popleft
   getFirst getLast setdefault dequeue element current firstWhere lastWhere singleWhere min_by max_by detect nth getOrPut
   getValue computeIfAbsent GetOrAdd GetValueOrDefault maxBy minBy maxByOrNull minByOrNull MaxBy MinBy random`,
);
/** Methods of collections that give a collection of the same elements. */
export const SAME_METHODS = wordSet(
  `filter slice concat reverse sort toSorted toReversed values iter iter_mut into_iter stream parallelStream toList toArray
   collect sorted distinct limit skip rev take skip_while take_while chain peekable drain asSequence asIterable list copy
   Where OrderBy OrderByDescending ToList ToArray Reverse Take Skip AsEnumerable all select reject sort_by reversed where
   filterNotNull shuffled splice Values lazy to_a each each_with_index toSet clone dup plus minus drop dropLast`,
);

/** Methods of collections that get elements. */
export const ADDING_METHODS = wordSet('push unshift add append insert offer enqueue includes indexOf fill');

/** Methods of collections that give a collection of something else. */
export const MAPPING_METHODS = wordSet(
  'map flatMap flat_map mapNotNull filter_map Select SelectMany groupBy GroupBy zip',
);
