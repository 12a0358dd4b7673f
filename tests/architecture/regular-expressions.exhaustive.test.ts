import test from 'ava';
import { check } from 'recheck';
import { placesOf, readProjectFiles, type SourceFile } from './source-files.ts';

type Expression = { path: string; source: string; flags: string };

/** Expressions whose time grows faster than their input, and what limits it. */
const bounded: ReadonlyMap<string, string> = new Map([
  [
    String.raw`services/auth-server/src/browser/describe-user-agent.ts /\bVersion\/[\d.]+.*\bSafari\//`,
    'the audit trail and the sessions keep 500 characters of a user agent: 0.04 ms',
  ],
]);

/** Files that build expressions from their own constants; those that they export are checked as built. */
const built = ['shared/tokens/api-token.ts', 'services/web-app/src/quick-add/english-patterns.ts'];

const program = readProjectFiles(/^(shared|services|deploy)\/.*\.(ts|js)$/);

test('no regular expression of the program takes time out of proportion to its input', async (t) => {
  t.timeout(300_000);
  const literals = program.flatMap(expressionLiterals);
  t.true(literals.length > 50);
  const builtOnes = (await Promise.all(built.map(builtExpressions))).flat();
  t.true(builtOnes.length > 10);
  const slow: string[] = [];
  for (const expression of [...literals, ...builtOnes])
    if (!(await isSafe(expression))) slow.push(nameOf(expression));
  t.deepEqual(
    slow.filter((name) => !bounded.has(name)),
    [],
  );
});

test('no regular expression is built from text', (t) => {
  const places = program
    .filter(({ path }) => !built.includes(path))
    .flatMap((file) => placesOf(file, /\bRegExp\(/g));
  t.deepEqual(places, []);
});

test('an expression that backtracks exponentially is found', async (t) => {
  const found = expressionLiterals({
    path: 'a.ts',
    text: 'const b = x / y;\nconst c = /^(a+)+$/.test(d);\n',
  });
  t.deepEqual(found.map(nameOf), ['a.ts /^(a+)+$/']);
  for (const expression of found) t.false(await isSafe(expression));
});

/** A literal stands where an operand does: behind an operator, a bracket or at the start of a line. */
function expressionLiterals({ path, text }: SourceFile): Expression[] {
  const escapeOrClass = String.raw`\\.|\[(?:[^\]\\\n]|\\.)*\]`;
  const source = String.raw`(?:[^\\/[\n*]|${escapeOrClass})(?:[^\\/[\n]|${escapeOrClass})*`;
  const start = String.raw`(?<=^|[(,=:[!&|?{};+]|=>|return)\s*`;
  const literal = new RegExp(`${start}/(${source})/([dgimsuvy]*)`, 'gm');
  return [...text.matchAll(literal)].map(([, source = '', flags = '']) => ({ path, source, flags }));
}

async function builtExpressions(path: string): Promise<Expression[]> {
  const exported: object = await import(`../../${path}`);
  const expressions = Object.values(exported).filter((value) => value instanceof RegExp);
  return expressions.map(({ source, flags }) => ({ path, source, flags }));
}

/** Without one of these an expression looks at a bounded part of its input from each place. */
const repetition = /[*+]|\{\d+,\}/;

/** Decided by the automaton, or within its time by a search for attacks. */
async function isSafe({ source, flags }: Expression): Promise<boolean> {
  if (!repetition.test(source)) return true;
  // Attacks are measured in steps alone: by the clock, a busy machine makes harmless expressions look slow.
  const inSteps = { attackTimeout: null, incubationTimeout: null };
  const decided = await check(source, flags, { ...inSteps, timeout: 10_000 });
  if (decided.status !== 'unknown') return decided.status === 'safe';
  return (await check(source, flags, { ...inSteps, checker: 'fuzz', timeout: null })).status === 'safe';
}

function nameOf({ path, source }: Expression): string {
  return `${path} /${source}/`;
}
