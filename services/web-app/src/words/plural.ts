type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

const rules = new Intl.PluralRules('en');

/** The form for the count; `#` stands for the number. */
export function plural(count: number, forms: PluralForms): string {
  return (forms[rules.select(count)] ?? forms.other).replaceAll('#', count.toLocaleString('en'));
}
