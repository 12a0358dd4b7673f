import type { Actor } from '../history/actor.ts';
import { type ActorFilter, findActors } from '../history/actor-repository.ts';
import { inOneLine } from './names.ts';
import type { ToolCall } from './tool.ts';

/** The filter for the actor that `by` names. */
export function actorFilter({ principal }: ToolCall, by: string | undefined): ActorFilter {
  if (by === undefined || by === 'anyone') return {};
  if (by === 'me') return { actorId: principal.credentialId };
  return by === 'person' ? { actorKinds: ['browser'] } : { actorName: by };
}

/** Names of other actors require the scope `read`. */
export const isOwnWord = (by: string): boolean => ['anyone', 'me', 'person'].includes(by);

export function nameOfActor({ kind, name }: Actor): string {
  if (kind === 'browser') return 'the person, in the web app';
  return kind === 'operator' ? 'the operator of the service' : inOneLine(name);
}

export function nameToCaller({ principal }: ToolCall, actor: Actor): string {
  return `${nameOfActor(actor)}${actor.id === principal.credentialId ? ' (this connection)' : ''}`;
}

const readActors = 100;
const namedActors = 10;

type Asked = { since?: string | undefined; task?: string | undefined };

/** If `by` changed nothing of what was asked for: names the actors that changed something. */
export async function describeActors(call: ToolCall, by: string, { since, task }: Asked): Promise<string> {
  const actors = await findActors(call.session, readActors);
  const names = [...new Set(actors.map((actor) => nameToCaller(call, actor)))];
  const others = names.length > namedActors ? '; and others' : '';
  const shown = names.slice(0, namedActors).join('; ') || 'nobody';
  const then = since === undefined ? '' : ' since then';
  const what = task === undefined ? 'Nothing' : 'Nothing of this task';
  const said = `${what} was changed by «${inOneLine(by)}»${then}.`;
  return `${said} In the last 30 days something was changed by: ${shown}${others}.`;
}
