import { answerCommandLine } from './answer-command-line.ts';

try {
  const answer = await answerCommandLine(process.argv.slice(2), process.env);
  if (answer !== undefined) console.log(answer);
} catch (error) {
  const { describeFailure } = await import('./describe-failure.ts');
  console.error(describeFailure(error));
  process.exitCode = 1;
}
