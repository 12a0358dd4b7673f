import { atFirstUse } from './at-first-use.ts';

type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

const rules = atFirstUse(() => new Intl.PluralRules('en'));

/** The form for the count; `#` stands for the number. */
export function plural(count: number, forms: PluralForms): string {
  return (forms[rules().select(count)] ?? forms.other).replaceAll('#', count.toLocaleString('en'));
}
