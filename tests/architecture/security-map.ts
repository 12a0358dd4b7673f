import type { SourceFile } from './source-files.ts';

/** A test that a document names: the file by its path without `.test.ts`, and the title. */
export type NamedTest = { file: string; title: string; line: number };

/** Titles as a test file declares them: patterns, because some are made in loops. */
export type DeclaredTitles = {
  path: string;
  run: readonly TitlePattern[];
  notRun: readonly TitlePattern[];
};
type TitlePattern = { matches(title: string): boolean };

/**
 * The tests named in a document: `` `folder/file`: title `` to the end of a table’s cell, the next `;` or a remark behind
 * a dash. A file without a folder lies in `tests/oauth`, as the document says of its first table.
 */
export function namedTests(markdown: string): NamedTest[] {
  return markdown.split('\n').flatMap((row, index) => {
    if (!row.startsWith('|')) return [];
    return row
      .split(/(?<!\\)\|/)
      .flatMap((cell) => [...cell.matchAll(/`((?:tests\/)?[a-z][\w/-]*)`: (.+?)(?=; `| — |$)/g)])
      .map(([, file = '', title = '']) => ({ file: fullPath(file), title: title.trim(), line: index + 1 }));
  });
}

function fullPath(file: string): string {
  if (file.startsWith('tests/')) return file;
  return file.includes('/') ? `tests/${file}` : `tests/oauth/${file}`;
}

/** What is named and not there, as `line: file: title`. */
export function missingTests(named: readonly NamedTest[], declared: readonly DeclaredTitles[]): string[] {
  const byPath = new Map(declared.map((file) => [file.path, file]));
  return named
    .filter(({ file, title }) => {
      const titles = byPath.get(`${file}.test.ts`);
      const isIn = (patterns: readonly TitlePattern[] = []) =>
        patterns.some((pattern) => pattern.matches(title));
      return !isIn(titles?.run) || isIn(titles?.notRun);
    })
    .map(({ file, title, line }) => `${line}: ${file}: ${title}`);
}

/** Folders, files or groups of files (`name*`) that a document names in back quotes and that are not there. */
export function missingPlaces(markdown: string, paths: readonly string[]): string[] {
  const places = [...markdown.matchAll(/`(tests\/[\w/*-]+)`/g)].map(([, place = '']) => place);
  return [...new Set(places)].filter((place) => {
    const start = place.replace(/\*$/, '');
    return !paths.some(
      (path) => path.startsWith(place.endsWith('*') ? start : `${start}/`) || path === `${start}.test.ts`,
    );
  });
}

const declaration = /\btest\w*(?<modes>(?:\.\w+)*)\(\s*(?=['"`]|title\b)/g;

/**
 * The titles that a test file declares; those that are skipped or meant to fail do not count. `texts`: the files that
 * it takes its tables from. What a template fills in must stand in one of them, so that no pattern fits every title.
 */
export function declaredTitles(file: SourceFile, texts: readonly string[]): DeclaredTitles {
  const known = [file.text, ...texts].map(unescaped).join('\n');
  const titles = [...file.text.matchAll(declaration)].map(({ index, 0: start, groups }) => ({
    pattern: patternOf(readTitle(file.text, index + start.length), known),
    isRun: !/skip|todo|failing/.test(groups?.modes ?? ''),
  }));
  return {
    path: file.path,
    run: titles.filter(({ isRun }) => isRun).map(({ pattern }) => pattern),
    notRun: titles.filter(({ isRun }) => !isRun).map(({ pattern }) => pattern),
  };
}

/** The literal that begins at `index`, as its static parts: one alone when nothing is filled in. */
function readTitle(text: string, index: number): string[] {
  const quote = text[index] ?? '';
  if (!`'"\``.includes(quote)) return ['', ''];
  const parts = [''];
  for (let at = index + 1; at < text.length && text[at] !== quote; at += 1) {
    if (quote === '`' && text.startsWith('${', at)) {
      at = endOfExpression(text, at + 2);
      parts.push('');
    } else {
      if (text[at] === '\\') at += 1;
      parts[parts.length - 1] += text[at] ?? '';
    }
  }
  return parts;
}

/** Where the braces that were opened before `index` close. */
function endOfExpression(text: string, index: number): number {
  let depth = 1;
  let at = index;
  for (; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) break;
  }
  return at;
}

function patternOf(parts: readonly string[], known: string): TitlePattern {
  const pattern = new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('(.+?)')}$`, 'su');
  const hasOwnWords = parts.join('').length >= fewestOwnCharacters;
  return {
    matches(title) {
      const [whole, ...filledIn] = pattern.exec(title) ?? [];
      return whole !== undefined && filledIn.every((text) => stands(text, known, hasOwnWords));
    },
  };
}

/** Below that a template says too little by itself: what fills it must stand in the file as it is. */
const fewestOwnCharacters = 15;

/** As a literal of its own; beside own words also within one, or in pieces of which none is foreign to the files. */
function stands(text: string, known: string, hasOwnWords: boolean): boolean {
  if (!hasOwnWords) return [`'`, '"', '`'].some((quote) => known.includes(quote + text + quote));
  return known.includes(text) || text.split(/[\s",:]+/).every((piece) => known.includes(piece));
}

function unescaped(text: string): string {
  return text.replace(/\\(['"`\\])/g, '$1');
}
