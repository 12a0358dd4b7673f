import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { fillNotes, slowPatterns } from '#tests/notes/hostile-notes.ts';
import { startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import { type ClientAnswer, createKeepAliveClient } from '../keep-alive-client.ts';
import { checkLibrary, scaleAttack } from '../library-expressions.ts';
import { createLoadAccounts, type LoadAccount } from '../load-accounts.ts';
import { describeOutcomes, percentile } from '../load-figures.ts';
import type { Scenario } from '../scenario.ts';
import { sendSteadily } from '../steady-requests.ts';

/** In the Markdown path, and not ours to change. */
const libraries = ['showdown', 'dompurify'];
const notesLength = 100_000;
/** Where in a text an attack may stand; each makes another input of it. */
const surroundings = [
  ...[
    '',
    'a',
    'a ',
    '\n',
    'a\n',
    'a\n\n',
    '# ',
    '> ',
    '- ',
    '1. ',
    '    ',
    '`',
    '```\n',
    '*',
    '_',
    '[',
    '![a](',
    '<b>',
  ],
  ...['| a |\n|---|\n| ', '<div>\n'],
];
const longestSurrounding = Math.max(...surroundings.map(({ length }) => length));
const writers = 3;
const secondsAtMost = 600;
const perSecond = 20;
const greatestWaitMilliseconds = 1_000;
const greatestP99Milliseconds = 250;

export const regularExpressions: Scenario = {
  id: 'regular-expressions',
  fault: `${surroundings.length} notes of 100,000 characters against each expression of the Markdown path that backtracks too far`,
  goal: `other requests p99 ≤ ${greatestP99Milliseconds} ms and none over ${greatestWaitMilliseconds} ms; every note answered 201, or 503 when too many wait`,
  limitMinutes: 25,
  async run(report) {
    const checked = libraries.map((name) => checkLibrary(name));
    for (const { name, expressions, undecided, vulnerable } of checked) {
      report(
        `${name}: ${vulnerable.length} of ${expressions} expressions vulnerable, ${undecided} undecided`,
      );
      for (const { place, source, complexity } of vulnerable) report(`  ${place} /${source}/ ${complexity}`);
    }
    const vulnerable = checked.flatMap((library) => library.vulnerable);
    const attacks = vulnerable.map(({ attack }) => scaleAttack(attack, notesLength - longestSurrounding));
    // What was found by hand stands for the expressions that the checker can't decide on.
    const inputs = [...attacks, ...slowPatterns.map(fillNotes)].flatMap((attack) =>
      surroundings.map((before) => (before + attack).slice(0, notesLength)),
    );
    await using cluster = await startCluster({ services: ['resource-api'], replicas: 1 });
    const [url] = cluster.apiUrls;
    const [replica] = cluster.replicas['resource-api'];
    if (url === undefined || replica === undefined) throw new Error('there is no replica');
    const [[reader], writing] = await cluster.database.query((sql) =>
      Promise.all([
        createLoadAccounts(sql, { accounts: 1, requests: 2 * secondsAtMost * perSecond }),
        createLoadAccounts(sql, { accounts: writers, requests: inputs.length * writers }),
      ]),
    );

    const others = (seconds: number) =>
      sendSteadily({
        urls: [url],
        perSecond,
        seconds,
        clients: 10,
        requestFor: (number) => otherRequest(reader, number),
      });
    const alone = await others(10);
    const hostile = writeAll(url, writing, inputs, report);
    const beside = await othersUntil(hostile, () => others(10));
    const notes = await hostile;
    const waits = beside.map(({ milliseconds }) => milliseconds);
    const p99 = Math.round(percentile(waits, 0.99));
    const longest = Math.round(Math.max(...waits));
    const strange = notes.filter(({ outcome }) => outcome !== 201 && outcome !== 503);
    const failed = beside.filter(({ outcome }) => outcome !== 200 && outcome !== 201);
    return {
      clientsSaw: `notes ${describeOutcomes(notes)}; others ${describeOutcomes(beside)}`,
      lost: 'nothing',
      healthyAfter: '–',
      figures: {
        ...Object.fromEntries(
          checked.map((library) => [
            `vulnerable in ${library.name}`,
            `${library.vulnerable.length} of ${library.expressions}, ${library.undecided} undecided`,
          ]),
        ),
        'hostile notes': `${notes.length} of ${inputs.length}`,
        'hostile p99, ms': Math.round(
          percentile(
            notes.map(({ milliseconds }) => milliseconds),
            0.99,
          ),
        ),
        'others alone p99, ms': Math.round(
          percentile(
            alone.map(({ milliseconds }) => milliseconds),
            0.99,
          ),
        ),
        'others beside p99, ms': p99,
        'others beside longest, ms': longest,
        crashes: cluster.unexpectedEnds(),
      },
      misses: missesOf(
        [p99 > greatestP99Milliseconds, `p99 of other requests ${p99} ms`],
        [longest > greatestWaitMilliseconds, `another request waited ${longest} ms`],
        [strange.length > 0, `notes were answered ${describeOutcomes(strange)}`],
        [failed.length > 0, `other requests were answered ${describeOutcomes(failed)}`],
        [cluster.unexpectedEnds() > 0, 'the replica ended'],
        [
          notes.length < inputs.length,
          `only ${notes.length} of ${inputs.length} notes were sent in ${secondsAtMost} s`,
        ],
      ),
    };
  },
};

/** Reads, and writes with short notes that need a thread, too. */
function otherRequest(account: LoadAccount | undefined, number: number) {
  const token = account?.nextToken();
  if (number % 4 > 0) return { method: 'GET', path: `${apiRootPath}/me`, token };
  return {
    method: 'POST',
    path: `${apiRootPath}/tasks`,
    token,
    body: { title: 'Beside', description: '*short* notes' },
  };
}

async function writeAll(
  url: string,
  accounts: readonly LoadAccount[],
  inputs: readonly string[],
  report: (line: string) => void,
): Promise<ClientAnswer[]> {
  const answers: ClientAnswer[] = [];
  const waiting = [...inputs];
  const end = performance.now() + secondsAtMost * 1_000;
  const write = async (index: number): Promise<void> => {
    const client = createKeepAliveClient(url);
    const account = accounts[index % accounts.length];
    for (let next = waiting.shift(); next !== undefined && performance.now() < end; next = waiting.shift()) {
      const body = { title: 'Hostile', description: next };
      answers.push(
        await client.send({
          method: 'POST',
          path: `${apiRootPath}/tasks`,
          token: account?.nextToken(),
          body,
        }),
      );
      if (answers.length % 50 === 0) report(`${answers.length} notes answered: ${describeOutcomes(answers)}`);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: writers }, (_, index) => write(index)));
  return answers;
}

/** Round after round, as long as the other side is at work. */
async function othersUntil<Answer>(
  work: Promise<unknown>,
  round: () => Promise<Answer[]>,
): Promise<Answer[]> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  const answers: Answer[] = [];
  while (!isOver) answers.push(...(await round()));
  await over;
  return answers;
}
