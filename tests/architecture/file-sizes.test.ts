import test from 'ava';
import { longerThan, medianLineCount } from './file-sizes.ts';
import { programFiles, readProjectFiles, testFiles } from './source-files.ts';

const program = readProjectFiles(programFiles);

test('no file of the program has more than 300 lines, no test more than 400', (t) => {
  t.deepEqual([...longerThan(300, program), ...longerThan(400, readProjectFiles(testFiles))], []);
});

test('half of the program’s files have fewer than 100 lines', (t) => {
  t.true(medianLineCount(program) < 100, `the median is ${medianLineCount(program)}`);
});

test('a file is measured by its lines, whether or not the last one is ended', (t) => {
  const fileOf = (path: string, lines: number, end: string) => ({
    path,
    text: Array(lines).fill('x').join('\n') + end,
  });
  const files = [fileOf('a.ts', 2, '\n'), fileOf('b.ts', 3, ''), fileOf('c.ts', 3, '\n')];
  t.deepEqual(longerThan(2, files), ['b.ts has 3 lines', 'c.ts has 3 lines']);
  t.is(medianLineCount(files), 3);
});
