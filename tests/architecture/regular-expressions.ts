import { placeOf, type SourceFile } from './source-files.ts';

/** A regular expression literal, as `new RegExp(source, flags)` takes it. */
export type FoundExpression = { place: string; source: string; flags: string };

type Token = { kind: 'blank' | 'word' | 'mark' | 'literal' | 'expression'; text: string; index: number };

/** Words after which an operand is due, so that a slash begins an expression. */
const operatorWords = new Set(
  'return typeof case do else in of instanceof new delete void throw await yield default'.split(' '),
);

const lexemes: readonly (readonly [kind: Token['kind'], pattern: RegExp])[] = [
  ['blank', /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y],
  ['literal', /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y],
  ['word', /[\w$#]+/y],
];
/** From the backtick, or the brace that ends an inserted value, to the next inserted value or the end. */
const templatePart = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;
const expressionLiteral = /\/((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/y;

/** The regular expression literals of a TypeScript file, those inside template literals included. */
export function expressionLiterals(file: SourceFile): FoundExpression[] {
  return tokensOf(file.text)
    .filter(({ kind }) => kind === 'expression')
    .map(({ text, index }) => {
      const end = text.lastIndexOf('/');
      return { place: placeOf(file, index), source: text.slice(1, end), flags: text.slice(end + 1) };
    });
}

/** The places where an expression is built from text at run time. */
export function expressionsBuilt(file: SourceFile): string[] {
  const tokens = tokensOf(file.text);
  return tokens
    .filter(({ text }, index) => text === 'RegExp' && tokens[index + 1]?.text === '(')
    .map(({ index }) => placeOf(file, index));
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  /** For each brace that is open: whether it belongs to a template literal, which goes on behind it. */
  const braces: boolean[] = [];
  for (let index = 0; index < text.length; ) {
    const token = tokenAt(text, index, tokens.at(-1), braces.at(-1) === true);
    if (token.text.startsWith('}')) braces.pop();
    if (token.kind === 'mark' && token.text.endsWith('{')) braces.push(token.text !== '{');
    if (token.kind !== 'blank') tokens.push(token);
    index += token.text.length;
  }
  return tokens;
}

function tokenAt(text: string, index: number, previous: Token | undefined, isInTemplate: boolean): Token {
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = index;
    return pattern.exec(text)?.[0];
  };
  const lexeme = lexemes
    .map(([kind, pattern]) => ({ kind, text: take(pattern) }))
    .find((candidate): candidate is Omit<Token, 'index'> => candidate.text !== undefined);
  if (lexeme !== undefined) return { ...lexeme, index };
  const character = text[index] ?? '';
  const expression = character === '/' && operandIsDue(previous) ? take(expressionLiteral) : undefined;
  if (expression !== undefined) return { kind: 'expression', text: expression, index };
  const continues = character === '`' || (character === '}' && isInTemplate);
  const part = (continues ? take(templatePart) : undefined) ?? character;
  return { kind: part.endsWith('`') ? 'literal' : 'mark', text: part, index };
}

/** Behind a value a slash divides; anywhere else it begins an expression (ECMA-262 §12, InputElementRegExp). */
function operandIsDue(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === 'word') return operatorWords.has(previous.text);
  return previous.kind === 'mark' && !/^[)\]}]$/.test(previous.text);
}
