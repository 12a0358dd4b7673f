import { AppError, type FieldErrors } from '#shared/errors/app-error.ts';

/** The API's words for what the tools call otherwise. */
const toolWords = new Map([
  ['description', 'notes'],
  ['recurrence', 'repeat'],
  ['projectId', 'project'],
  ['sectionId', 'section'],
  ['areaId', 'area'],
  ['patched', 'changed'],
  ['uncancel', 'reopen'],
  ['uncomplete', 'reopen'],
]);
const words = /[a-z]+/gi;

/** Runs what speaks as the API does, and throws its errors in the tools' words. */
export async function inToolWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError ? translated(error) : error;
  }
}

function translated({ code, message, errors, headers, cause }: AppError): AppError {
  return new AppError(code, {
    message: inWords(message),
    headers,
    cause,
    ...(errors && { errors: translatedErrors(errors) }),
  });
}

function translatedErrors(errors: FieldErrors): FieldErrors {
  const entries = Object.entries(errors).map(([field, messages]) => [inWords(field), messages.map(inWords)]);
  return Object.fromEntries(entries);
}

function inWords(text: string): string {
  return text.replace(words, (word) => toolWords.get(word) ?? word);
}
