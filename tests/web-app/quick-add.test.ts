import test from 'ava';
import fc from 'fast-check';
import { readEntry } from '#web-app/quick-add/read-entry.ts';
import { readWhen } from '#web-app/quick-add/read-when.ts';
import { newTask } from '#web-app/quick-add/task-body.ts';
import {
  bodyOf,
  examples,
  noDefaults,
  on,
  options,
  plainTitles,
  repeat,
  until,
  weekOfMonth,
  workdays,
} from './quick-add-examples.ts';

fc.configureGlobal({ includeErrorInReport: true });

// The account lives in Berlin; the device, on whose zone nothing may depend, does not.
process.env.TZ = 'America/New_York';

for (const [text, body] of examples) {
  test(`«${text}» says what to send`, (t) => t.deepEqual(bodyOf(text), body));
}

test('words that only look like dates, times, places and deadlines stay in the title', (t) => {
  t.deepEqual(
    plainTitles.map((title) => bodyOf(title)),
    plainTitles.map((title) => ({ title })),
  );
});

test('further ways to say a day, a time, a repeat and a place are read', (t) => {
  const said: [string, object][] = [
    ['Tidy on sun', on('2026-11-29')],
    ['Tidy in march', on('2027-03-01')],
    ['Tidy Dec 24 9:00', on('2026-12-24 09:00')],
    ['Tidy Dec 24, 2027', on('2027-12-24')],
    ['Tidy 3/12', on('2026-12-03')],
    ['Tidy may 5 at noon', on('2027-05-05 12:00')],
    ['Tidy the day after tomorrow', on('2026-11-25')],
    ['Tidy tomorrow morning', on('2026-11-24 09:00')],
    ['Tidy this evening', on('2026-11-23 19:00')],
    ['Tidy on the 1st', on('2026-12-01')],
    ['Tidy by the 31st', on('2026-12-31')],
    ['Tidy on 1/2', on('2027-02-01')],
    ['Tidy 1st of every month', on('2026-12-01', repeat('monthly', 1))],
    ['Tidy every month on the 15th 9:00', on('2026-12-15 09:00', repeat('monthly', 1))],
    ['Tidy every month on 1st', on('2026-12-01', repeat('monthly', 1))],
    ['Every month on the 15th tidy', { title: 'tidy', dueDate: '2026-12-15', ...repeat('monthly', 1) }],
    ['Tidy every 2 months on 31st', on('2026-12-31', repeat('monthly', 2))],
    ['Tidy every 3 days until 1 jan', on('2026-11-23', until('2027-01-01', 'daily', 3))],
    [
      'Tidy every tue, till friday next week',
      on('2026-11-24', until('2026-12-04', 'weekly', 1, ['tuesday'])),
    ],
    [
      'Tidy every weekday 15:30 until 18 Dec',
      on('2026-11-23 15:30', until('2026-12-18', 'weekly', 1, workdays)),
    ],
    ['Tidy every other friday', on('2026-11-27', repeat('weekly', 2, ['friday']))],
    [
      'Tidy every week until it is done',
      { title: 'Tidy until it is done', dueDate: '2026-11-23', ...repeat('weekly', 1) },
    ],
    ['Tidy monthly on the 2nd tuesday', on('2026-12-08', weekOfMonth(2, 'tuesday'))],
    ['Tidy daily 9:00', on('2026-11-24 09:00', repeat('daily', 1))],
    ['Tidy every! 2 weeks', on('2026-11-23', repeat('weekly', 2, [], true))],
    ['Tidy #movetothe', { projectId: 'move' }],
    ['Tidy #flat', { projectId: 'move' }],
    ['Tidy #FLÁT', { projectId: 'move' }],
    ['Tidy tomorrow at 18', on('2026-11-24 18:00')],
    ['Tidy at 18 on friday', on('2026-11-27 18:00')],
    ['Tidy tonight at 9', on('2026-11-23 21:00')],
    ['Tidy @ 8pm friday', on('2026-11-27 20:00')],
    ['Tidy 31.12. 20:00', on('2026-12-31 20:00')],
    ['Tidy every mon wed 18:00', on('2026-11-23 18:00', repeat('weekly', 1, ['monday', 'wednesday']))],
    ['Tidy every mon, thu', on('2026-11-23', repeat('weekly', 1, ['monday', 'thursday']))],
    ['Tidy tomorrow at 10.30', on('2026-11-24 10:30')],
    ['Tidy 10.30am tomorrow', on('2026-11-24 10:30')],
    ['Tidy in 2 hours', on('2026-11-23 12:00')],
    ['Tidy in half an hour', on('2026-11-23 10:30')],
    ['Tidy in 15 hours', on('2026-11-24 01:00')],
    ['Tidy Feb 29', on('2028-02-29')],
    ['Tidy on 29 Feb', on('2028-02-29')],
    ['Tidy every year on the 29th of February', on('2028-02-29', repeat('yearly', 1))],
    ['Tidy every 1 Dec', on('2026-12-01', repeat('yearly', 1))],
    ['Tidy every! Dec 24 9:00', on('2026-12-24 09:00', repeat('yearly', 1, [], true))],
    ['Tidy every 15th', on('2026-12-15', repeat('monthly', 1))],
    ['Tidy every 15th of the month', on('2026-12-15', repeat('monthly', 1))],
    ['Tidy each monday', on('2026-11-23', repeat('weekly', 1, ['monday']))],
    ['Tidy sun', on('2026-11-29')],
    ['Tidy on tuesdays and thursdays', on('2026-11-24', repeat('weekly', 1, ['tuesday', 'thursday']))],
    ['Tidy every three days', on('2026-11-23', repeat('daily', 3))],
    ['Tidy every 3 months after completion', on('2026-11-23', repeat('monthly', 3, [], true))],
    ['Tidy every first monday', on('2026-12-07', weekOfMonth(1, 'monday'))],
    ['Write the weekly report friday', { title: 'Write the weekly report', dueDate: '2026-11-27' }],
    ['Daily tidy', { title: 'tidy', dueDate: '2026-11-23', ...repeat('daily', 1) }],
    [
      'Tidy weekly in the evening',
      { title: 'Tidy in the evening', dueDate: '2026-11-23', ...repeat('weekly', 1) },
    ],
    ['Tidy annually', on('2026-11-23', repeat('yearly', 1))],
    ['Tidy #Quarterly report tomorrow', { dueDate: '2026-11-24', projectId: 'report' }],
    ['Tidy #Move to the new flat/Papers', { projectId: 'move', sectionId: 'papers' }],
    ['Tidy every weekend', on('2026-11-28', repeat('weekly', 1, ['saturday']))],
    ['Tidy every quarter', on('2026-11-23', repeat('monthly', 3))],
    ['Tidy every morning', on('2026-11-24 09:00', repeat('daily', 1))],
    ['Tidy every week starting friday', on('2026-11-27', repeat('weekly', 1))],
    ['Tidy this coming friday', on('2026-11-27')],
    ['Tidy every second week', on('2026-11-23', repeat('weekly', 2))],
    ['Tidy every 2nd friday', on('2026-11-27', repeat('weekly', 2, ['friday']))],
    ['Tidy the first monday of every month', on('2026-12-07', weekOfMonth(1, 'monday'))],
    ['Tidy monthly on the last sun', on('2026-11-29', weekOfMonth(-1, 'sunday'))],
    ['Tidy every third thursday', on('2026-12-17', weekOfMonth(3, 'thursday'))],
    ['Tidy each 3rd thu', on('2026-12-17', weekOfMonth(3, 'thursday'))],
    ['Tidy every third day', on('2026-11-23', repeat('daily', 3))],
    ['Tidy every mon-fri', on('2026-11-23', repeat('weekly', 1, workdays))],
    ['Tidy every monday to friday', on('2026-11-23', repeat('weekly', 1, workdays))],
    ['Tidy every sat through mon', on('2026-11-23', repeat('weekly', 1, ['monday', 'saturday', 'sunday']))],
    ['Tidy every day except sundays', on('2026-11-23', repeat('weekly', 1, [...workdays, 'saturday']))],
    ['Tidy every day but not sat and sun', on('2026-11-23', repeat('weekly', 1, workdays))],
    ['Tidy every week after done', on('2026-11-23', repeat('weekly', 1, [], true))],
    ['Tidy every month on 5', on('2026-12-05', repeat('monthly', 1))],
    ['Tidy monthly on the 5 at 9', on('2026-12-05 09:00', repeat('monthly', 1))],
    ['Tidy last day of every month', on('2026-12-31', repeat('monthly', 1))],
    ['Tidy every month on the last day', on('2026-12-31', repeat('monthly', 1))],
    ['Tidy every last day of the month', on('2026-12-31', repeat('monthly', 1))],
    ['Tidy every day for 3 weeks', on('2026-11-23', until('2026-12-13', 'daily', 1))],
    ['Tidy every day 9:00 for 10 days', on('2026-11-24 09:00', until('2026-12-03', 'daily', 1))],
    ['Tidy every month for 3 months starting 30 nov', on('2026-11-30', until('2027-02-27', 'monthly', 1))],
    ['Tidy every week for a month starting friday', on('2026-11-27', until('2026-12-26', 'weekly', 1))],
  ];
  t.deepEqual(
    said.map(([text]) => bodyOf(text)),
    said.map(([, body]) => ({ title: 'Tidy', ...body })),
  );
  t.deepEqual(bodyOf('Tidy 3/12', { monthBeforeDay: true }), { title: 'Tidy', dueDate: '2027-03-12' });
});

test('numbers beside a day stay in the title, and the day is read', (t) => {
  const titles = [
    'Read chapter 10',
    'Buy iphone 15',
    'Line 24',
    'Room 1800',
    'Ship 2.10',
    'Pay $15',
    'Pay 3.50',
    'Review #12',
    'Read pages 10-12',
    'Meet from 10 to 12',
    'Meet 10:00-12:00',
    'Look at 18 rooms',
    'Eat 5 a',
  ];
  for (const title of titles) {
    t.deepEqual(bodyOf(`${title} tomorrow`), { title, dueDate: '2026-11-24' });
    t.deepEqual(bodyOf(`Tomorrow ${title}`), { title, dueDate: '2026-11-24' });
    t.deepEqual(bodyOf(`${title} on friday 9am`), { title, dueDate: '2026-11-27', reminderTime: '09:00' });
  }
  t.deepEqual(bodyOf('Tomorrow 12 eggs'), { title: '12 eggs', dueDate: '2026-11-24' });
  t.deepEqual(bodyOf('Watch Apollo 13 tonight'), {
    title: 'Watch Apollo 13',
    dueDate: '2026-11-23',
    reminderTime: '20:00',
  });
});

test('punctuation that stood for what was read goes with it', (t) => {
  const titles: [string, string][] = [
    ['Call Bob (fri 9am), please', 'Call Bob, please'],
    ['Call Bob tomorrow!', 'Call Bob!'],
    ['Call Bob, tomorrow, please', 'Call Bob, please'],
    ['Tomorrow: call Bob', 'call Bob'],
    ['Tomorrow – call Bob', 'call Bob'],
    ['Call Bob - tomorrow', 'Call Bob'],
    ['Call "Bob," tomorrow', 'Call "Bob,"'],
    ['Call Bob (or Ann) tomorrow', 'Call Bob (or Ann)'],
  ];
  t.deepEqual(
    titles.map(([text]) => readEntry(text, options).title),
    titles.map(([, title]) => title),
  );
});

test('the marks of a quote go where they kept something from being read, and stay elsewhere', (t) => {
  const titles: [string, string][] = [
    ['Read "Dune" again', 'Read "Dune" again'],
    ['Read “Dune” and «Emma» tomorrow', 'Read “Dune” and «Emma»'],
    ['Play "Every day", not "Help"', 'Play Every day, not "Help"'],
    ['Call at "9:30"', 'Call at 9:30'],
    ['Ask in "#move"', 'Ask in #move'],
    ['Type "a // b"', 'Type a // b'],
    ['Shout "!friday"', 'Shout !friday'],
    ['Study "someday"', 'Study someday'],
  ];
  for (const [text, title] of titles) t.is(readEntry(text, options).title, title, text);
});

test('a deadline is named by its mark or by the word, and the planned day stands beside it', (t) => {
  const said: [string, object][] = [
    ['Submit deadline friday', { title: 'Submit', deadlineDate: '2026-11-27' }],
    ['Submit, deadline: 30 nov', { title: 'Submit', deadlineDate: '2026-11-30' }],
    ['Submit (deadline on the 1st), please', { title: 'Submit, please', deadlineDate: '2026-12-01' }],
    ['Submit !sat, please', { title: 'Submit, please', deadlineDate: '2026-11-28' }],
    ['Deadline friday: submit', { title: 'submit', deadlineDate: '2026-11-27' }],
    ['Go by friday deadline in 2 weeks', { title: 'Go', dueDate: '2026-11-27', deadlineDate: '2026-12-07' }],
    ['Ask about the deadline tomorrow', { title: 'Ask about the deadline', dueDate: '2026-11-24' }],
    ['Extend deadline 2 weeks', { title: 'Extend deadline 2 weeks' }],
  ];
  for (const [text, body] of said) t.deepEqual(bodyOf(text), body, text);
});

test('a date field also takes the words and numbers that a title keeps', (t) => {
  const said: [string, string, string | null][] = [
    ['sat', '2026-11-28', null],
    ['Sun 9:00', '2026-11-29', '09:00'],
    ['weekend', '2026-11-28', null],
    ['march', '2027-03-01', null],
    ['may 5', '2027-05-05', null],
    ['1.12.', '2026-12-01', null],
    ['01.12.2027', '2027-12-01', null],
    ['1/2', '2027-02-01', null],
    ['tomorrow at 9', '2026-11-24', '09:00'],
  ];
  for (const [text, dueDate, reminderTime] of said)
    t.like(readWhen(text, options), { dueDate, reminderTime });
  t.is(readWhen('1.12.', { ...options, monthBeforeDay: true })?.dueDate, '2026-12-01');
  for (const text of ['3 days', '10', '31.2.', 'sat down', '!fri']) t.is(readWhen(text, options), null, text);
  t.deepEqual(bodyOf('Ship 1.12. sat'), { title: 'Ship 1.12.', dueDate: '2026-11-28' });
});

test('without deadlines their words stay in the title, and the chip says why', (t) => {
  const entry = readEntry('Pack tomorrow !fri', { ...options, allowsDeadlines: false });
  t.deepEqual(newTask(entry, noDefaults), { title: 'Pack !fri', dueDate: '2026-11-24' });
  t.deepEqual(
    entry.pieces.map(({ kind }) => kind),
    ['date', 'deadline'],
  );
});

test('what has a day or a project is not in Someday, and the word stays in the title', (t) => {
  const said: [string, object][] = [
    ['Tidy tomorrow someday', { title: 'Tidy someday', dueDate: '2026-11-24' }],
    ['Tidy every week someday', { title: 'Tidy someday', dueDate: '2026-11-23', ...repeat('weekly', 1) }],
    ['Tidy !20 dec someday', { title: 'Tidy someday', deadlineDate: '2026-12-20' }],
    ['Tidy #move someday', { title: 'Tidy someday', projectId: 'move' }],
  ];
  for (const [text, body] of said) t.deepEqual(bodyOf(text), body, text);
  const withoutDeadlines = bodyOf('Tidy !20 dec someday', { allowsDeadlines: false });
  t.deepEqual(withoutDeadlines, { title: 'Tidy !20 dec', list: 'someday' });
});

test('a name of very many words, as it is written out when it is picked behind #, is read whole', (t) => {
  const title = 'Move into the new flat with all the plants and both cats';
  const projects = [...options.projects, { id: 'long', title, sections: [] }];
  const body = { title: 'Paint', projectId: 'long', dueDate: '2026-11-24' };
  t.deepEqual(bodyOf(`Paint #${title} tomorrow`, { projects }), body);
});

test('the last of several dates counts, and a piece made plain stays text', (t) => {
  t.deepEqual(bodyOf('Tell tomorrow about friday'), { title: 'Tell tomorrow about', dueDate: '2026-11-27' });
  t.deepEqual(bodyOf('Tell tomorrow about friday', { plain: new Set(['friday']) }), {
    title: 'Tell about friday',
    dueDate: '2026-11-24',
  });
  t.deepEqual(bodyOf('tomorrow'), { title: 'tomorrow' });
  t.deepEqual(bodyOf('Pack #x', { picked: new Map([['x', { projectId: 'garden', sectionId: null }]]) }), {
    title: 'Pack',
    projectId: 'garden',
  });
});

test('the screen’s place and day are the default, and typed pieces win', (t) => {
  const inProject = {
    place: { projectId: 'move', sectionId: 'papers' },
    dueDate: '2026-11-23',
    isSomeday: false,
  };
  const body = (text: string) => newTask(readEntry(text, options), inProject);
  t.deepEqual(body('Pack'), { title: 'Pack', projectId: 'move', sectionId: 'papers', dueDate: '2026-11-23' });
  t.deepEqual(body('Pack fri #garden'), { title: 'Pack', projectId: 'garden', dueDate: '2026-11-27' });
  t.deepEqual(body('Pack someday'), { title: 'Pack', list: 'someday' });
});

const words = fc.constantFrom(
  ...'Tidy tomorrow every mon, fri 9:30 at 5 someday // ! !30 nov #mov -'.split(' '),
  ...'next week ago 2026-12-01 99:99 31/02 in 9999 years “ " « \u202e 👩‍🚀 #'.split(' '),
);
const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(words).map((all) => all.join(' ')),
);

test('any text is read: pieces lie in it in order, and their dates are real', (t) => {
  fc.assert(
    fc.property(texts, (text) => {
      const entry = readEntry(text, options);
      const ends = entry.pieces.map(({ end }) => end);
      const isOrdered = entry.pieces.every(
        ({ start, end }, index) => start >= (ends[index - 1] ?? 0) && end > start,
      );
      const dates = [entry.dueDate, entry.deadlineDate].filter((date) => date !== null);
      const areReal = dates.every((date) => new Date(`${date}T00:00:00Z`).toISOString().startsWith(date));
      return isOrdered && areReal && (ends.at(-1) ?? 0) <= text.length;
    }),
    { numRuns: 500 },
  );
  t.pass();
});

test('the title keeps every quoted text', (t) => {
  const quotable = fc
    .array(
      words.filter((word) => !/["“«]/u.test(word)),
      { minLength: 1 },
    )
    .map((all) => all.join(' '));
  fc.assert(
    fc.property(texts, quotable, texts, (before, quoted, after) => {
      const plain = (text: string) => text.replaceAll(/["“”«»]|\/\//gu, '');
      const { title } = readEntry(`${plain(before)} "${quoted}" ${plain(after)}`, options);
      return title.includes(quoted);
    }),
    { numRuns: 500 },
  );
  t.pass();
});
