import { useStore } from '../store/store-context.ts';

export function App() {
  const store = useStore();
  return (
    <ul>
      {store.views.today.value.today.map((id) => (
        <li key={store.keyOf(id)}>{store.rows.tasks.row(id).value?.title}</li>
      ))}
    </ul>
  );
}
