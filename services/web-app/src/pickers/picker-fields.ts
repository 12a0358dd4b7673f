import { pickerWords as words } from '../words/picker-words.ts';

/** The fields of pickers, of tasks and of quick add. */
export const whenField = {
  label: words.when,
  icon: 'upcoming',
  placeholder: words.whenPlaceholder,
  listLabel: words.days,
  nothing: words.notADay,
} as const;
export const deadlineField = {
  ...whenField,
  label: words.deadline,
  icon: 'flag',
  placeholder: words.deadlinePlaceholder,
} as const;
export const repeatField = {
  label: words.repeatLabel,
  icon: 'repeat',
  placeholder: words.repeatPlaceholder,
  listLabel: words.rules,
  nothing: words.notARule,
} as const;
