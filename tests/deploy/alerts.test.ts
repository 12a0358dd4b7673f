import path from 'node:path';
import { projectFolder } from '#tests/architecture/source-files.ts';
import { runPromtool, testWithPromtool } from './monitoring/promtool.ts';

const folder = path.join(projectFolder, 'deploy/monitoring');

testWithPromtool('Prometheus accepts the rules', (t) => {
  const { status, output } = runPromtool({ directory: folder }, 'check', 'rules', 'rules.yaml');
  t.is(status, 0, output);
});

for (const file of ['rules.test.yaml', 'rules-of-months.test.yaml']) {
  testWithPromtool(`alerts fire when they should and else do not: ${file}`, (t) => {
    const { status, output } = runPromtool({ directory: folder }, 'test', 'rules', file);
    t.is(status, 0, output);
  });
}
