/** Written into sw.js by the build: the addresses of the shell and all its assets. */
declare const builtFiles: readonly string[];
/** Written into sw.js by the build: another one for other files. */
declare const buildId: string;
