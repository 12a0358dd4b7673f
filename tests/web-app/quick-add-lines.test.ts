import test from 'ava';
import { type LinesAs, tasksOf } from '#web-app/quick-add/read-lines.ts';
import { bodyOf, noDefaults, on, options, repeat } from './quick-add-examples.ts';

const mail = [
  'From: Ann <ann@example.com>',
  'Date: Thu, 26 Nov 2026',
  'Subject: Re: The flat',
  '',
  'Please sign it tomorrow',
  '',
  '> On Tue, Bob wrote:',
  '>',
  '> > And also call the notary.',
  '-- ',
  'Ann',
].join('\n');

const tasks = (text: string, as: LinesAs = 'tasks') =>
  tasksOf(text, as, { entry: options, defaults: noDefaults, notes: '' });
const titles = (text: string) => tasks(text).map(({ title }) => title);

test('of a pasted mail the lines that say something are tasks', (t) => {
  t.deepEqual(titles(mail), ['Please sign it', 'And also call the notary.', 'Ann']);
  t.deepEqual(titles('> Subject: Re: Friday\n> Call Ann\n> --'), ['Call Ann']);
  t.deepEqual(titles('To: write to Ann\nBuy milk'), ['To: write to Ann', 'Buy milk']);
  t.deepEqual(titles('> 5 people'), ['> 5 people']);
});

test('a mail is one task with the rest as notes: by its subject, else its first line', (t) => {
  const notes = mail.replace('Subject: Re: The flat\n', '');
  t.deepEqual(tasks(mail, 'notes'), [{ title: 'The flat', description: notes }]);
  t.deepEqual(tasks('Call Ann tomorrow\n\n> Please call.\n> Ann', 'notes'), [
    { title: 'Call Ann', dueDate: '2026-11-24', description: '> Please call.\n> Ann' },
  ]);
});

test('boxes are marks of a list, and what was ticked is a ticked item', (t) => {
  const list = 'Shop\n☐ butter\n☑ coffee\n- [x] tea\n* [ ] milk\n✅ salt';
  t.deepEqual(titles(list), ['Shop', 'butter', 'coffee', 'tea', 'milk', 'salt']);
  t.deepEqual(
    tasks(list).flatMap(({ title, isDone }) => (isDone ? [title] : [])),
    ['coffee', 'tea', 'salt'],
  );
  t.deepEqual(tasks('- [x] tea'), [{ title: 'tea', isDone: true }]);
  t.deepEqual([...titles('[ ] tea'), ...titles('✅ tea'), ...titles('- tea')], ['tea', '✅ tea', '- tea']);
  const checklist = [
    { title: 'butter' },
    { title: 'coffee', completed: true },
    { title: 'tea', completed: true },
    { title: 'milk' },
    { title: 'salt', completed: true },
  ];
  t.deepEqual(tasks(list, 'checklist'), [{ title: 'Shop', checklist }]);
});

test('a repeat ends where «until» says so, also behind its time', (t) => {
  const until = (date: string, rule: object) => ({ recurrence: { ...Object(rule).recurrence, until: date } });
  const monday = repeat('weekly', 1, ['monday']);
  const said: [string, object][] = [
    ['Tidy every day 8:00 until friday', on('2026-11-24 08:00', until('2026-11-27', repeat('daily', 1)))],
    ['Tidy every monday at 18:00, until march', on('2026-11-23 18:00', until('2027-03-01', monday))],
    ['Tidy every monday at 11 till 18 Dec', on('2026-11-23 11:00', until('2026-12-18', monday))],
    ['Tidy every monday evening until 18 Dec', on('2026-11-23 19:00', until('2026-12-18', monday))],
  ];
  for (const [text, body] of said) t.deepEqual(bodyOf(text), { title: 'Tidy', ...body }, text);
  const plain = { plain: new Set(['until march']) };
  t.deepEqual(bodyOf('Tidy every monday 18:00 until march', plain), {
    title: 'Tidy until march',
    dueDate: '2026-11-23',
    reminderTime: '18:00',
    ...monday,
  });
});

test('an hour without minutes is a time beside a day, unless it begins an address', (t) => {
  const said: [string, object][] = [
    ['Tidy tomorrow at 7', on('2026-11-24 07:00')],
    ['At 5 on friday tidy', { title: 'tidy', dueDate: '2026-11-27', reminderTime: '05:00' }],
    ['Tidy 31.12. @ 9', on('2026-12-31 09:00')],
    ['Tidy sun at 11', on('2026-11-29 11:00')],
    ['Tidy every day at 9', on('2026-11-24 09:00', repeat('daily', 1))],
    ['Tidy every evening at 7', on('2026-11-23 19:00', repeat('daily', 1))],
    ['Tidy every tuesday evening', on('2026-11-24 19:00', repeat('weekly', 1, ['tuesday']))],
    ['Meet tomorrow at 9 Elm Street', { title: 'Meet at 9 Elm Street', dueDate: '2026-11-24' }],
    ['We sat at 9 tables', { title: 'We sat at 9 tables' }],
  ];
  for (const [text, body] of said) t.deepEqual(bodyOf(text), { title: 'Tidy', ...body }, text);
  t.deepEqual(bodyOf('Tidy tomorrow at 9', { plain: new Set(['at 9']) }), {
    title: 'Tidy at 9',
    dueDate: '2026-11-24',
  });
});

test('a weekday with the number of its day is a date where both agree on one that is near', (t) => {
  const said: [string, object][] = [
    ['Tidy friday the 27th', on('2026-11-27')],
    ['Tidy on wed, 2nd 9:00', on('2026-12-02 09:00')],
    ['Tidy friday 4th december', on('2026-12-04')],
    ['Watch Friday the 13th', { title: 'Watch Friday the 13th' }],
    ['Pay 5/12 of the bill', { title: 'Pay 5/12 of the bill' }],
    ['Tidy 5/12', on('2026-12-05')],
    ['Tidy 14.12.', on('2026-12-14')],
    ['Tidy sat:', { title: 'Tidy:', dueDate: '2026-11-28' }],
  ];
  for (const [text, body] of said) t.deepEqual(bodyOf(text), { title: 'Tidy', ...body }, text);
});

test('a day without a time is the same at every hour of today', (t) => {
  const days = [
    ...['monday', 'this monday', 'on mon', '23 november', 'Nov 23', '23.11.', '23/11', 'today'],
    ...['tuesday', 'next monday', 'sunday', '22 november', 'tomorrow', 'in 3 days', 'next week', 'the 23rd'],
  ];
  for (const day of days) {
    const at = (time: string) => bodyOf(`Tidy ${day}`, { now: { date: '2026-11-23', time } });
    for (const time of ['00:00', '12:00', '23:59']) t.deepEqual(at(time), at('10:00'), `${day} at ${time}`);
  }
  const late = { now: { date: '2026-11-23', time: '13:30' } };
  t.deepEqual(bodyOf('Tidy monday', late), { title: 'Tidy', dueDate: '2026-11-23' });
  t.deepEqual(bodyOf('Tidy monday 18:00', late), {
    title: 'Tidy',
    dueDate: '2026-11-23',
    reminderTime: '18:00',
  });
  t.deepEqual(bodyOf('Tidy monday 10:00', late), {
    title: 'Tidy',
    dueDate: '2026-11-30',
    reminderTime: '10:00',
  });
});

test('a repeat by weeks has the weekdays that are named behind it', (t) => {
  const both = ['monday', 'thursday'];
  const said: [string, object][] = [
    ['Tidy every week on monday and thursday', repeat('weekly', 1, both)],
    ['Tidy weekly on mon, thu', repeat('weekly', 1, both)],
    ['Tidy every 2 weeks on mondays and thursdays', repeat('weekly', 2, both)],
    ['Tidy every week on monday', repeat('weekly', 1)],
  ];
  for (const [text, body] of said)
    t.deepEqual(bodyOf(text), { title: 'Tidy', dueDate: '2026-11-23', ...body }, text);
});
