/**
 * Words to search for as regular expressions of PostgreSQL: each letter stands for all that are the same
 * without case and accents, and hyphens and apostrophes within a word do not count.
 */

/** First and last of the letters with other forms: case and accents, kana, wide, narrow and styled ones. */
const foldedLetters = [
  [0x21, 0x24ff],
  [0x3041, 0x30ff],
  [0xff01, 0xff9f],
  [0x1d400, 0x1d7ff],
] as const;
/** «ß» is searched as «ss». */
const ligatures: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe' };
/** What German writes where it has no umlauts. */
const umlauts: Readonly<Record<string, string>> = { ae: 'äÄ', oe: 'öÖ', ue: 'üÜ' };
/** Narrow kana have them behind the letter, as decomposed ones do. */
const soundMarks: Readonly<Record<string, string>> = { '\u3099': '\u3099\uff9e', '\u309a': '\u309a\uff9f' };
/** Letters that are written one for the other. */
const twins: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ة: 'ه',
  ى: 'ي',
  ٱ: 'ا',
  ς: 'σ',
};
const separators = /[\u0027\u2019\u00ad\u05be\u2010-\u2015\u002d]/g;
/** Accents, vowels of Arabic and Hebrew, and lengthening: characters of their own, too. */
const accents = /[\ufe00-\ufe0f\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670]/g;
const withoutWidth = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const betweenLetters = `(?:${separators.source}|${accents.source}|${withoutWidth.source})*`;

/** Without case and accents. */
function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .replace(withoutWidth, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u3041-\u3096]/g, (hiragana) => String.fromCharCode(hiragana.charCodeAt(0) + 0x60))
    .replace(/[ßæœøłđħıةىٱς]/g, (letter) => ligatures[letter] ?? twins[letter] ?? letter);
}

const variants = Map.groupBy(
  foldedLetters.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  ),
  foldText,
);

const sentenceSign = /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"',.;:!?…]$/u;

/** Without quotation marks, brackets and the signs of a sentence around it, unless it is made of them. */
function trimSigns(word: string): string {
  const letters = Array.from(word);
  const isPart = (letter: string): boolean => !sentenceSign.test(letter);
  return letters.slice(letters.findIndex(isPart), letters.findLastIndex(isPart) + 1).join('') || word;
}

/** Whether its folded form stands for other signs alone. */
function isFoldedAway(sign: string): boolean {
  const folded = foldText(sign);
  const isOther = Array.from(sign.normalize('NFKC')).length > 1 || !variants.get(folded)?.includes(sign);
  return folded !== '' && folded !== sign && isOther;
}

/** One expression for each word of `text`. */
export function wordPatterns(text: string): string[] {
  return text
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map(trimSigns)
    .map((word) => {
      const composed = word.normalize('NFC');
      const spellings = [
        foldedPattern(word),
        foldedPattern(composed.replace(/[äöü]/gi, (umlaut) => `${foldText(umlaut)}e`)),
        // Folding makes other letters of some signs: «No» of «№», «H» of «𝓗».
        ...(Array.from(word).some(isFoldedAway) ? [patternOf(composed), patternOf(word)] : []),
      ];
      const patterns = [...new Set(spellings)];
      return patterns.length === 1 ? patterns.join() : `(?:${patterns.join('|')})`;
    });
}

const foldedPattern = (word: string): string => patternOf(foldText(word).replace(separators, '') || word);

/** A condition on tasks: the word is in title, notes or a step. Placeholders of a pattern and its path. */
export function taskHasWord(pattern: string, path: string): string {
  return `(title ~ ${pattern} or description ~ ${pattern} or checklist @? ${path}::jsonpath)`;
}

/**
 * Whether a step of a checklist has the word, as an SQL/JSON path. A subquery for the steps would keep a
 * statement from running in parallel.
 */
export function stepPath(pattern: string): string {
  return `$[*].title ? (@ like_regex ${JSON.stringify(pattern)})`;
}

function patternOf(word: string): string {
  const parts = Array.from(word.matchAll(/ss|ae|oe|ue|.\p{M}|./gsu), ([part]) => {
    const spelled = Array.from(part, oneOf).join(betweenLetters);
    const ligature = [...(variants.get(part) ?? []), ...(umlauts[part] ?? '')];
    if (part.length === 1 || ligature.length === 0) return spelled;
    return `(?:${spelled}|[${ligature.map(escaped).join('')}])`;
  });
  return parts.join(betweenLetters);
}

function oneOf(letter: string): string {
  const forms = `[${(variants.get(letter) ?? [letter]).map(escaped).join('')}]`;
  const parts = Array.from(letter.normalize('NFD'));
  if (parts.length === 1) return forms;
  const spelled = parts.map((part) => (part in soundMarks ? `[${soundMarks[part]}]` : oneOf(part)));
  return `(?:${forms}|${spelled.join('')})`;
}

function escaped(letter: string): string {
  return letter.replace(/[!-/:-@[-`{-~]/, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

const letters = /[\p{L}\p{M}\p{N}]+/gu;

const foldName = (name: string): string => foldText(name.trim());

/** Whether two names are one, but for blanks around them, case and accents. */
export function isSameName(one: string, other: string): boolean {
  return foldName(one) === foldName(other);
}

/**
 * The words of a name, folded, those that separators part within them, and its signs: of «C++ Wi-Fi 🌱» the
 * words are «c» and «wifi», the others «wi» and «fi», the signs «++» and «🌱».
 */
export function partsOfName(name: string): { words: string[]; parted: string[]; signs: string[] } {
  const folded = foldName(name);
  const joined = folded.replace(separators, '');
  return {
    words: joined.match(letters) ?? [],
    parted: joined === folded ? [] : (folded.match(letters) ?? []),
    signs: joined.match(/[\p{S}#%&@*]+/gu) ?? [],
  };
}
