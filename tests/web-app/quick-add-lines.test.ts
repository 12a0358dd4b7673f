import test from 'ava';
import { type LinesAs, tasksOf } from '#web-app/quick-add/read-lines.ts';
import { noDefaults, options } from './quick-add-examples.ts';

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
  const checklist = [
    { title: 'butter' },
    { title: 'coffee', completed: true },
    { title: 'tea', completed: true },
    { title: 'milk' },
    { title: 'salt', completed: true },
  ];
  t.deepEqual(tasks(list, 'checklist'), [{ title: 'Shop', checklist }]);
});
