import test from 'ava';
import { isBlank, notBlankPattern } from '#shared/validation/text-rules.ts';

test('the written-out pattern finds exactly the texts that are not blank', (t) => {
  const expression = new RegExp(notBlankPattern, 'u');
  const wrong: string[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    const text = String.fromCodePoint(codePoint);
    if (expression.test(` ${text}`) === isBlank(text)) wrong.push(codePoint.toString(16));
  }
  t.deepEqual(wrong, []);
});
