import { AppError } from '#shared/errors/app-error.ts';

/** What is wrong with a form, by its fields' names. */
export type FormProblems = Readonly<Record<string, string[] | undefined>>;

/** The field a validated member came from, and what its messages call it; or what to say whatever is wrong with it. */
export type FormMember = { field: string } & ({ subject: string } | { says: string });

/** What to say beside the fields of a form whose values did not pass. Throws whatever is no validation error again. */
export function formProblems(thrown: unknown, members: Readonly<Record<string, FormMember>>): FormProblems {
  if (!(thrown instanceof AppError) || thrown.errors === undefined) throw thrown;
  const problems = Object.entries(thrown.errors).map(([name, messages]): [string, string[]] => {
    const member = members[name];
    if (member === undefined) throw thrown;
    // Messages start with the member's name.
    const inWords = messages.map((message) => message.replace(name, () => subjectOf(member)));
    return [member.field, 'says' in member ? [member.says] : inWords];
  });
  return Object.fromEntries(problems);
}

function subjectOf(member: FormMember): string {
  return 'subject' in member ? member.subject : '';
}
