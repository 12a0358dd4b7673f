import { useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { closeOverlay } from '../overlays/overlay.ts';
import { titledChoice } from '../overlays/titled-choice.tsx';
import { useStore } from '../store/store-context.ts';
import { foldText } from '../words/fold-text.ts';
import { pickerWords as words } from '../words/picker-words.ts';
import { PickerDialog } from './picker-dialog.tsx';

/** The area of a project; its current area is not offered. */
export function AreaPicker({ id: asked }: { id: string }) {
  const store = useStore();
  const id = store.idOf(asked);
  const [text, setText] = useState('');
  const present = store.rows.projects.row(id).value?.areaId ?? null;
  const query = text.trim();
  const areas = store.views.areas.value.map((areaId) => ({
    areaId,
    label: store.rows.areas.row(areaId).value?.title ?? '',
  }));
  const choices = [...areas, { areaId: null, label: words.noArea }]
    .filter(({ areaId }) => areaId !== present)
    .filter(({ label }) => foldText(label).includes(foldText(query)))
    .map(({ areaId, label }) =>
      titledChoice({
        id: areaId ?? 'none',
        title: label,
        query,
        sign: <Icon name={areaId === null ? 'x' : 'list'} />,
        pick() {
          store.commands.positionProject(id, null, areaId);
          closeOverlay();
        },
      }),
    );
  return (
    <PickerDialog
      label={words.list}
      icon="list"
      placeholder={words.areaPlaceholder}
      listLabel={words.areas}
      text={text}
      onText={setText}
      choices={choices}
      nothing={query === '' ? words.noOtherArea : words.noSuchArea(query)}
    />
  );
}
