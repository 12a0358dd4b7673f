import { answerCommandLine } from './answer-command-line.ts';
import { writeAnswer } from './standard-output.ts';

try {
  const answer = await answerCommandLine(process.argv.slice(2), process.env);
  if (answer !== undefined) await writeAnswer(answer);
} catch (error) {
  const { describeFailure } = await import('./describe-failure.ts');
  console.error(describeFailure(error));
  process.exitCode = 1;
}
