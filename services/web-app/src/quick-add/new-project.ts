import { planLimits } from '#shared/plans.ts';
import type { Choice } from '../overlays/choices.tsx';
import { openOverlay } from '../overlays/overlay.ts';
import { choice } from '../overlays/titled-choice.tsx';
import type { Store } from '../store/store.ts';
import { quickAddWords as words } from '../words/quick-add-words.ts';

/** Offered for an unknown project name. If the plan allows no more projects, opens a dialog instead. */
export function newProjectChoice(
  store: Store,
  title: string,
  projectCount: number,
  pick: (projectId: string) => void,
): Choice {
  const cap = planLimits[store.account.value?.plan ?? 'free'].projects;
  const isFull = cap !== null && projectCount >= cap;
  return choice('new', 'plus', words.newProject(title), () => {
    if (isFull) openOverlay({ kind: 'limit', title });
    else pick(store.commands.addProject({ title }));
  });
}
