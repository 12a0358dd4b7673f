import test from 'ava';
import { checkSync } from 'recheck';
import { expressionLiterals, expressionsBuilt, type FoundExpression } from './regular-expressions.ts';
import { readProjectFiles } from './source-files.ts';

const program = readProjectFiles(/^(shared|services|deploy)\/.*\.(ts|js)$/);
const expressions = program.flatMap(expressionLiterals);

/** Expressions whose time grows faster than their input, and what bounds it. */
const bounded: ReadonlyMap<string, string> = new Map([
  [
    String.raw`services/auth-server/src/settings/user-agent-words.ts /\bVersion\/[\d.]+.*\bSafari\//`,
    'the audit trail and the sessions keep 500 characters of a user agent: 0.04 ms',
  ],
  [
    String.raw`services/resource-api/src/notes/markdown-to-html.ts /<code>[^<]*<\/code>|<[^>]+>/`,
    'runs in a thread that is ended at its processor budget, and only on text that ends with «>»',
  ],
]);

/** Expressions built from text at run time, and why nobody can make that text dangerous. */
const built: ReadonlyMap<string, string> = new Map([
  ['shared/tokens/api-token.ts', 'from the constants of the same file: a prefix, one class and a count'],
]);

test('no regular expression of the program takes time out of proportion to its input', (t) => {
  t.timeout(300_000);
  t.deepEqual(
    expressions.filter((expression) => !bounded.has(nameOf(expression))).flatMap((found) => faultsOf(found)),
    [],
  );
});

test('expressions that need a bound still exist', (t) => {
  const names = new Set(expressions.map(nameOf));
  t.deepEqual(
    [...bounded.keys()].filter((name) => !names.has(name)),
    [],
  );
});

test('no regular expression is built from text, but where it is said why', (t) => {
  const places = program.flatMap(expressionsBuilt);
  t.deepEqual(places.map(fileOf), [...built.keys()]);
});

test('an expression that backtracks without end is found with its file and line', (t) => {
  const found = expressionLiterals({ path: 'a.ts', text: 'const a = 1;\nconst b = /^(a+)+$/.test(c);\n' });
  t.deepEqual(found.flatMap(faultsOf), ['a.ts:2 /^(a+)+$/ vulnerable: exponential']);
});

test('slashes that divide, comment or stand in text are no expressions, those in templates are', (t) => {
  const text = String.raw`
    // /comment/ and 'it
    /* /comment/ */ const path = '/a/' + "/b/" + \`/c/\${d / e / f}/g/\`;
    const h = i[0] / j / k(l) / m;
    return \`\${n.replace(/["'\`/\]]+/g, \`{\${/o\/p/.test(q)}}\`)} /r/\`;
    const s = !/[/]/u.test(t) && { u: /}/ };`
    .replaceAll('\\`', '`')
    .replaceAll('\\$', '$');
  const found = expressionLiterals({ path: 'a.ts', text });
  const sources = ['["\'`/\\]]+', String.raw`o\/p`, '[/]', '}'];
  t.deepEqual(
    found.map(({ source }) => source),
    sources,
  );
  t.deepEqual(
    found.map(({ place }) => place),
    ['a.ts:5', 'a.ts:5', 'a.ts:6', 'a.ts:6'],
  );
});

test('expressions built at run time are found', (t) => {
  const text = "// new RegExp(a)\nconst b = new RegExp(c, 'u');\nconst d: RegExp = e;\nif (f) RegExp('g');";
  t.deepEqual(expressionsBuilt({ path: 'a.ts', text }), ['a.ts:2', 'a.ts:4']);
});

/** Without one of these an expression looks at a bounded part of its input from each place. */
const repetition = /[*+]|\{\d+,\}/;

/** Empty when it is safe. What the automaton can't decide on within its time, a search for attacks does. */
function faultsOf({ place, source, flags }: FoundExpression): string[] {
  if (!repetition.test(source)) return [];
  // The program of the package's other way needs a process of its own for each call.
  process.env.RECHECK_SYNC_BACKEND = 'pure';
  // Attacks are measured in steps alone: by the clock, a busy machine makes harmless expressions look slow.
  const inSteps = { attackTimeout: null, incubationTimeout: null };
  const decided = checkSync(source, flags, { ...inSteps, timeout: 10_000 });
  const found =
    decided.status === 'unknown'
      ? checkSync(source, flags, { ...inSteps, checker: 'fuzz', timeout: null })
      : decided;
  const reason = found.status === 'vulnerable' ? found.complexity.summary : 'undecided';
  return found.status === 'safe' ? [] : [`${place} /${source}/${flags} ${found.status}: ${reason}`];
}

function nameOf({ place, source }: FoundExpression): string {
  return `${fileOf(place)} /${source}/`;
}

function fileOf(place: string): string {
  return place.replace(/:\d+$/, '');
}
