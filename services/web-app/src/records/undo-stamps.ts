import { appApiPath, type UndoRequest, type UndoResponse } from '#shared/app/app-protocol.ts';
import type { Store } from '../store/store.ts';
import { activityWords } from '../words/activity-words.ts';
import { commandWords } from '../words/command-words.ts';

/** Undoes changes of Activity; returns what later changes kept. null: failed, with a toast. */
export async function undoStamps(
  { post, pull, notices }: Store,
  stamps: readonly string[],
  label: string,
): Promise<UndoResponse | null> {
  const body: UndoRequest = { stamps: [...stamps] };
  try {
    const answer = await post<UndoResponse>(`${appApiPath}/undo`, body);
    notices.toast(commandWords.undoOutcome(answer, label));
    pull().catch(() => undefined);
    return answer;
  } catch {
    notices.toast(activityWords.notUndone);
    return null;
  }
}
