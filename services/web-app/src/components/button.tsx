import { classNames } from './class-names.ts';

type ButtonProps = { text: string; kind?: string | undefined; autofocus?: boolean; onPress: () => void };

export function Button({ text, kind, onPress, ...others }: ButtonProps) {
  return (
    <button type="button" class={classNames('btn', kind)} onClick={onPress} {...others}>
      {text}
    </button>
  );
}
