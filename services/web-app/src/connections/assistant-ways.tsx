import { assistantWays, type StepPart } from '#shared/app/assistant-ways.ts';
import { assistantAddress } from './copied-address.tsx';

/** The steps of each assistant, folded. */
export function AssistantWays() {
  return (
    <div class="ways">
      {assistantWays(assistantAddress()).map(({ name, steps }) => (
        <details key={name}>
          <summary>{name}</summary>
          <ol class="steps">
            {steps.map((parts) => (
              <li key={parts}>
                <div>{parts.map(stepPart)}</div>
              </li>
            ))}
          </ol>
        </details>
      ))}
    </div>
  );
}

function stepPart(part: StepPart) {
  if (typeof part === 'string') return part;
  if ('press' in part) return <b>{part.press}</b>;
  if ('type' in part) return <code>{part.type}</code>;
  return (
    <pre>
      <code>{part.command}</code>
    </pre>
  );
}
