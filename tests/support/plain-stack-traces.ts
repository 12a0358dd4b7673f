/*
 * Loaded by ava before each test file. Ava makes Node read the source map of every module that names one.
 * Only packages name one, and their stack traces need none.
 */
process.setSourceMapsEnabled(false);
