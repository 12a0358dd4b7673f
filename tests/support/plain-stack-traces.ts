/*
 * Loaded by ava before each test file. Ava has Node read the source map of every module that names one; of those that
 * are loaded here only packages do, and stack traces may show those as they are.
 */
process.setSourceMapsEnabled(false);
