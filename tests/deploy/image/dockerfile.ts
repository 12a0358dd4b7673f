export type Instruction = { keyword: string; flags: Readonly<Record<string, string>>; text: string };
export type Stage = { name: string; base: string; instructions: Instruction[] };
export type Dockerfile = { stages: Stage[] };

/** Reads what our Dockerfile uses: stages, flags, lines that go on, and arguments with a default before the first stage. */
export function parseDockerfile(text: string): Dockerfile {
  const defaults = new Map<string, string>();
  const stages: Stage[] = [];
  for (const instruction of instructionsOf(text)) {
    const { keyword, text: parameters } = instruction;
    if (keyword === 'FROM') stages.push(stageOf(parameters, defaults, stages.length));
    else if (stages.length === 0) readDefault(keyword, parameters, defaults);
    else stages.at(-1)?.instructions.push(instruction);
  }
  return { stages };
}

/** The JSON list of an instruction in exec form. Throws when it is in shell form, which needs a shell. */
export function execForm({ keyword, text }: Instruction): string[] {
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list) && list.every((entry) => typeof entry === 'string')) return list;
  throw new Error(`${keyword} is not a list of strings`);
}

/** `A=1 B="two words"` as it stands in ENV and LABEL. */
export function assignments({ text }: Instruction): Record<string, string> {
  const pairs = text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g);
  return Object.fromEntries([...pairs].map(([, name, quoted, bare]) => [name, quoted ?? bare ?? '']));
}

/** The variables that the image sets for what runs in it. */
export function imageEnvironment({ stages }: Dockerfile): Record<string, string> {
  const settings = stages.at(-1)?.instructions.filter(({ keyword }) => keyword === 'ENV') ?? [];
  return Object.assign({}, ...settings.map(assignments));
}

function instructionsOf(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const joined = lines.join('\n').replaceAll(/\s*\\\n\s*/g, ' ');
  return joined.split('\n').map((line) => {
    const [, keyword = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    const [flagText = ''] = /^(--\S+\s+)*/.exec(rest) ?? [];
    const flags = [...flagText.matchAll(/--([\w-]+)=(\S+)/g)].map(([, name, value]) => [name, value]);
    return { keyword, flags: Object.fromEntries(flags), text: rest.slice(flagText.length).trim() };
  });
}

function stageOf(parameters: string, defaults: ReadonlyMap<string, string>, index: number): Stage {
  const [, image = '', name = String(index)] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(parameters) ?? [];
  const base = image.replace(/\$\{(\w+)\}/, (_, variable) => defaults.get(variable) ?? '');
  return { name, base, instructions: [] };
}

function readDefault(keyword: string, parameters: string, defaults: Map<string, string>): void {
  const [, name = '', value = ''] = /^(\w+)=(\S+)$/.exec(parameters) ?? [];
  if (keyword !== 'ARG' || name === '')
    throw new Error(`${keyword} before the first stage is not understood`);
  defaults.set(name, value);
}
