import { answerCommandLine } from './answer-command-line.ts';

try {
  console.log(await answerCommandLine(process.argv.slice(2), process.env));
} catch (error) {
  const { describeFailure } = await import('./describe-failure.ts');
  console.error(describeFailure(error));
  process.exitCode = 1;
}
