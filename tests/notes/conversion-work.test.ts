import test from 'ava';
import { conversionWork } from '#resource-api/notes/conversion-work.ts';
import { htmlDepth } from '#resource-api/notes/html-depth.ts';
import { fillNotes, maxNotesLength, quickPatterns, slowPatterns } from './hostile-notes.ts';
import { sampleNotes } from './sample-notes.ts';

const aSecond = 200_000_000;

test('the work is estimated far beyond the limit for what takes the converter seconds', (t) => {
  for (const pattern of slowPatterns)
    t.true(conversionWork(fillNotes(pattern)) > 4 * aSecond, JSON.stringify(pattern).slice(0, 30));
});

test('the work of ordinary notes, however long, and of harmless patterns is estimated below it', (t) => {
  t.true(conversionWork(sampleNotes(maxNotesLength)) < aSecond / 2);
  for (const pattern of quickPatterns) t.true(conversionWork(fillNotes(pattern)) < aSecond / 2, pattern);
});

test('an estimate takes time in proportion to the length alone', (t) => {
  // Were one of its expressions quadratic, this would take minutes.
  for (const pattern of [...slowPatterns, ...quickPatterns, '\r', ' \n', '[a', ']('])
    t.true(conversionWork(fillNotes(pattern).repeat(3)) >= 0);
});

test('depth counts the elements that are open at once, as far as their own ends close them', (t) => {
  t.is(htmlDepth('<p>a<br><b>b</b> <i>c</i></p><hr/>'), 2);
  t.is(htmlDepth('<DIV><div></p></p>'), 2);
  t.is(htmlDepth('<a<em><b></a></b>'), 2);
  t.is(htmlDepth('1 < 2 &lt;b&gt;'), 0);
});
