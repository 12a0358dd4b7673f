import datetime
import json
import sys

from generated_python import AuthenticatedClient
from generated_python.api.tasks import complete_task, create_task, list_tasks, update_task
from generated_python.models import ListTasksView, TaskCreate, TaskPatch

base_url, token = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=token)

day = datetime.date(2030, 1, 7)
created = create_task.sync(client=client, body=TaskCreate(title="Water the plants", due_date=day))
listed = list_tasks.sync(client=client, view=ListTasksView.SOMEDAY, limit=10)
patched = update_task.sync(created.id, client=client, body=TaskPatch(due_date=None))
completed = complete_task.sync(created.id, client=client)
refused = create_task.sync(client=client, body=TaskCreate(title=""))

print(
    json.dumps(
        {
            "created": created.title,
            "listed": created.id in [task.id for task in listed.items],
            "patched": patched.due_date,
            "completed": completed.status,
            "refused": refused.error_code,
        }
    )
)
