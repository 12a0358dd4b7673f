import { AppError } from '#shared/errors/app-error.ts';
import { changePassword } from '../accounts/password-change-service.ts';
import { changeProfile } from '../accounts/profile-service.ts';
import type { Context } from '../context.ts';
import { type FormMember, type FormProblems, formProblems } from '../html/form-problems.ts';
import { inWaitingTime } from '../html/waiting-time.ts';
import type { Route } from '../http/route.ts';
import { passwordFormPath, profilePage, timezoneFormPath } from './profile-page.ts';
import { type SettingsRequest, settingsForm, settingsPage } from './settings-request.ts';
import { settingsTabs } from './settings-tabs.ts';

const tab = settingsTabs.profile;

const members: Readonly<Record<string, FormMember>> = {
  timezone: { field: 'timezone', says: 'Choose one of the time zones in the list.' },
  currentPassword: { field: 'current_password', subject: 'This' },
  newPassword: { field: 'new_password', subject: 'The new password' },
};

export function profileRoutes(context: Context): Route[] {
  return [
    settingsPage(context, tab, async (request) => request.show(profilePage(request))),
    settingsForm(context, tab, timezoneFormPath, saveTimezone),
    settingsForm(context, tab, passwordFormPath, savePassword),
  ];
}

async function saveTimezone(request: SettingsRequest, form: URLSearchParams): Promise<void> {
  const timezone = form.get('timezone') ?? undefined;
  try {
    await changeProfile(request.session, request.visitor.account.id, { timezone });
  } catch (error) {
    const problems = formProblems(error, members);
    return request.show(profilePage(request, { timezone, problems }), { status: 400 });
  }
  request.done('timezone-saved');
}

async function savePassword(request: SettingsRequest, form: URLSearchParams): Promise<void> {
  const { session, visitor } = request;
  const revokeApiTokens = form.has('revoke_tokens');
  const showProblems = (
    problems: FormProblems,
    answer: { status: number; headers?: Record<string, string> },
  ) => request.show(profilePage(request, { revokeApiTokens, problems }), answer);
  const guess = await request.countPasswordGuess();
  if (!guess.isAllowed) {
    const problem = `A wrong password was given too often. Try again ${inWaitingTime(guess.waitSeconds)}.`;
    const headers = { 'Retry-After': String(guess.waitSeconds) };
    return showProblems({ current_password: [problem] }, { status: 429, headers });
  }
  const input = {
    currentPassword: form.get('current_password') ?? undefined,
    newPassword: form.get('new_password') ?? undefined,
    revokeApiTokens,
  };
  try {
    await changePassword(session, visitor.account.id, input, visitor.sessionId);
  } catch (error) {
    const isWrongGuess = error instanceof AppError && error.errors?.currentPassword !== undefined;
    if (!isWrongGuess) await guess.refund();
    return showProblems(formProblems(error, members), { status: 400 });
  }
  await guess.refund();
  request.done(revokeApiTokens ? 'password-changed-tokens-revoked' : 'password-changed');
}
