import test, { type Implementation } from 'ava';

export type DeclareTest = (title: string, implementation: Implementation<[]>) => void;

/** `declare` where `program` is installed; else its tests are skipped, and their titles say so. */
export function testWithProgram(
  program: string,
  isInstalled: boolean,
  declare: DeclareTest = test,
): DeclareTest {
  if (isInstalled) return declare;
  return (title, implementation) => test.skip(`${title} (${program} is not installed)`, implementation);
}
