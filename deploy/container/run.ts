import { exitOnConfigError } from '#shared/config/exit-on-config-error.ts';
import { programs, usage } from './program.ts';
import { readSecretFiles } from './secret-files.ts';

/*
 * The image's entry point: `node dist/run.js PROGRAM [ARGUMENTS]`. Ends with 2 when it knows no such program and
 * with 1 when a secret's file is at fault; otherwise the program decides.
 */
const [name, ...rest] = process.argv.slice(2);
const program = programs.find((candidate) => candidate.name === name);

if (program !== undefined) {
  Object.assign(
    process.env,
    exitOnConfigError(() => readSecretFiles(process.env)),
  );
  // The programs find their arguments where they would be if they had been started themselves.
  process.argv.splice(2, process.argv.length, ...rest);
  await program.run();
} else if (name === '--help') {
  console.log(usage());
} else {
  console.error(
    `${name === undefined ? 'no program was named' : `there is no program «${name}»`}\n\n${usage()}`,
  );
  process.exitCode = 2;
}
