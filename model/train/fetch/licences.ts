/** Licences that the corpus may have. A licence without a row is refused. */

/**
 * Names as packages write them, lower case, to SPDX. A Debian name may carry a suffix that tells two texts of one
 * family apart (`BSD-3-clause~Regents`), hence prefixes. Permissive licences only: no row for any copyleft licence,
 * none for the classic Artistic 1.0.
 */
const FAMILIES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:expat|mit|x11)(?!-?[a-z0-9]*gpl)(?:[-~/_ ].*)?$/, 'MIT'],
  [/^mit-0$/, 'MIT-0'],
  [/^isc(?:[-~].*)?$/, 'ISC'],
  [/^0bsd$|^bsd-0-clause$/, '0BSD'],
  [/^(?:2-clause-bsd|bsd-?2(?:-clause)?|freebsd|simplified-bsd)(?:[-~].*)?$/, 'BSD-2-Clause'],
  [/^(?:4-clause-bsd|bsd-?4(?:-clause)?)(?:[-~].*)?$/, 'BSD-4-Clause'],
  [/^(?:bsd|bsd-style|3-clause-bsd|bsd-?3(?:-clause)?|new-bsd|modified-bsd)(?:[-~].*)?$/, 'BSD-3-Clause'],
  [/^(?:apache|asl)(?:[- ]?(?:2|2\.0))?(?:[-~](?!1|.*gpl).*)?$|^apache license,? (?:version )?2\.0$/, 'Apache-2.0'],
  [/^zlib(?:\/libpng)?(?:[-~].*)?$|^libpng(?:-?2\.0)?$/, 'Zlib'],
  [/^(?:bsl-?1(?:\.0)?|boost(?:-1\.0)?)(?:[-~].*)?$/, 'BSL-1.0'],
  [/^unlicense$/, 'Unlicense'],
  [/^(?:public-domain|pd)(?:[-~].*)?$/, 'LicenseRef-public-domain'],
  [/^cc0(?:-1(?:\.0)?)?$/, 'CC0-1.0'],
  [/^psf(?:-2(?:\.0)?)?$|^python(?:-2\.0)?$/, 'PSF-2.0'],
  [/^artistic-2(?:\.0)?$/, 'Artistic-2.0'],
  // Both are BSD texts in other words.
  [/^postgresql$/, 'PostgreSQL'],
  [/^hpnd$/, 'HPND'],
];

/**
 * The permissive licence that an expression lets us use, or null. `A or B` needs one of them allowed, `A and B` (also
 * written with a comma) all of them; an exception (`with`) is part of its licence's name.
 */
export function permitted(expression: string): string | null {
  const clean = expression.replace(/[()]/g, ' ').replace(/\s+/g, ' ').trim();
  for (const choice of clean.split(/,?\s+(?:or|\|)\s+/i)) {
    const parts = choice.split(/,?\s+and\s+|,\s*|\s*\/\s*(?=apache)/i).filter((part) => part.trim() !== '');
    const names = parts.map(family);
    if (names.length > 0 && names.every((name) => name !== null)) return [...new Set(names)].join(' AND ');
  }
  return null;
}

function family(name: string): string | null {
  const lower = name
    .trim()
    .toLowerCase()
    .replace(/\+$/, '')
    .replace(/ with .*llvm.*$/, '')
    .replace(/ licen[cs]e$/, '');
  return FAMILIES.find(([pattern]) => pattern.test(lower))?.[1] ?? null;
}

const FREE_TEXTS: ReadonlyArray<readonly [RegExp, string]> = [
  [/permission is hereby granted, free of charge, to any person obtaining/i, 'MIT'],
  [/permission to use, copy, modify, and(?:\/or)? distribute this software for any purpose/i, 'ISC'],
  [/redistribution and use in source and binary forms/i, 'BSD-3-Clause'],
  [/apache license,? version 2\.0|common-licenses\/Apache-2\.0/i, 'Apache-2.0'],
];
const COPYLEFT = /general public|\bl?gpl\b|mozilla public|eclipse public|\bcddl\b|share-?alike|artistic/i;

/** Recognises the licence of a copyright file in prose: one known text, and no word of a copyleft licence anywhere. */
export function permittedText(text: string): string | null {
  const flat = text.replace(/\s+/g, ' ');
  return COPYLEFT.test(flat) ? null : (FREE_TEXTS.find(([pattern]) => pattern.test(flat))?.[1] ?? null);
}
