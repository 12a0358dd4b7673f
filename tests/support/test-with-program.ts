import test, { type Implementation } from 'ava';

export type DeclareTest = (title: string, implementation: Implementation<[]>) => void;

/** `test` where `program` is installed; else its tests are skipped, and their titles say so. */
export function testWithProgram(program: string, isInstalled: boolean): DeclareTest {
  if (isInstalled) return test;
  return (title, implementation) => test.skip(`${title} (${program} is not installed)`, implementation);
}
