import { setLocale } from 'yup';

/*
 * yup's own words would repeat the value that was sent, however long or private it is. It copies them into every
 * schema that is made, so this must be read before the first one is: by the file that makes their parts.
 */
setLocale({
  mixed: {
    required: ({ path }) => `${nameOf(path)} is required`,
    defined: ({ path }) => `${nameOf(path)} is required`,
    notNull: ({ path }) => `${nameOf(path)} must not be null`,
    notType: ({ path, type }) => `${nameOf(path)} must be ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`,
  },
});

/** yup calls the value as a whole «this». */
function nameOf(path: string): string {
  return path === 'this' ? 'The body' : path;
}
