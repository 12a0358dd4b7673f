import type { InferType } from 'yup';
import { closedObject, enumeration } from '#shared/validation/fields.ts';
import { batchOf } from '../batch.ts';
import { callOperation } from '../call-operation.ts';
import { countEntries } from '../count-entries.ts';
import { listAreaNames } from '../list-names.ts';
import { resolveArea } from '../names.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import {
  areaName,
  formatSaved,
  newTitle,
  requireAlone,
  requireExisting,
  type Saved,
  savedEntries,
  saveEach,
  titleOf,
  wholeEntry,
} from './tool-fields.ts';

const areaInput = closedObject({
  area: areaName(),
  title: newTitle(),
  remove: enumeration(['area']).meta({ description: 'The area is to be deleted.' }),
}).label(wholeEntry);

export const saveAreas = defineTool({
  name: 'save_areas',
  title: 'Create, rename or delete areas',
  description:
    'Without area: creates one, at the end. ' +
    'With area: renames it, or, with remove=area, deletes it; its projects stay, ungrouped.',
  scope: 'write',
  hints: { isDestructive: true },
  input: closedObject({ areas: batchOf(areaInput, 'In order.') }),
  output: closedObject({ areas: savedEntries() }),
  async run(call, { areas }) {
    await countEntries(call, areas);
    const { results, ...described } = await saveEach(call, areaInput, areas, (entry) =>
      saveArea(call, entry),
    );
    return { ...described, content: { areas: results } };
  },
});

async function saveArea(call: ToolCall, { area, title: name, remove }: InferType<typeof areaInput>) {
  const body = { title: name };
  if (area === undefined) {
    requireExisting('area', { remove });
    const made = await callOperation<Saved>(call, 'createArea', { body });
    return formatSaved(call, made, 'Created', { namesakes: listAreaNames });
  }
  const id = await resolveArea(call, area, { isWhole: remove !== undefined });
  if (remove === undefined) {
    const changed = await callOperation<Saved>(call, 'updateArea', { params: { id }, body });
    return formatSaved(call, changed, 'Changed', { isChange: true });
  }
  requireAlone('remove', body);
  const title = await titleOf(call, id);
  await callOperation(call, 'deleteArea', { params: { id } });
  return formatSaved(call, { id, title }, 'Deleted area', {
    projects: (count) => `${count === 1 ? 'is' : 'are'} in no area now`,
  });
}
