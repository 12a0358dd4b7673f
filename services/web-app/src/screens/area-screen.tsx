import { EmptyState } from '../components/empty-state.tsx';
import { Icon } from '../components/icon.tsx';
import { WriteButton } from '../components/write-button.tsx';
import { areaMenu } from '../frame/list-menus.ts';
import { nameNewList } from '../frame/new-list.ts';
import { type ListGroup, projectRefs } from '../list/list-group.ts';
import { ProjectRow } from '../list/project-row.tsx';
import { TaskGrid } from '../list/task-grid.tsx';
import { useStore } from '../store/store-context.ts';
import { projectWords } from '../words/project-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { ListHead } from './list-head.tsx';
import { NothingHere } from './nothing-here.tsx';
import { useFoldedGroup } from './page-head.tsx';

export function AreaScreen({ id }: { id: string }) {
  const store = useStore();
  const area = store.rows.areas.row(id).value;
  const { open, closed } = store.views.area(id).value;
  const folded = useFoldedGroup(projectWords.closedProjects, projectRefs(closed));
  const groups: ListGroup[] = [
    { key: 'open', title: area?.title ?? '', rows: projectRefs(open), isOrdered: true },
    ...folded.groups,
  ];
  const newProject = () => nameNewList('project', id);
  if (area === undefined) return <NothingHere />;
  return (
    <>
      <div class="p-head">
        <ListHead
          title={area.title}
          menu={(rename) => areaMenu(store, area, rename, newProject)}
          onRename={(title) => store.commands.renameArea(id, title)}
        />
      </div>
      {open.length === 0 && <EmptyState title={screenWords.empty.area} />}
      <TaskGrid label={area.title} groups={groups} projectRow={ProjectRow} />
      <WriteButton class="more" onPress={newProject}>
        <Icon name="plus" small />
        {screenWords.newProject}
      </WriteButton>
    </>
  );
}
