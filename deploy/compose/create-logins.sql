-- Run once by the image of PostgreSQL, when its volume is still empty: a login for each program, with the rights of its own
-- role and no more. Their passwords are those of the URLs that the programs are given.
\set migrator_password `sed 's|.*://[^:]*:\([^@]*\)@.*|\1|' /run/secrets/migrator-database-url`
\set auth_server_password `sed 's|.*://[^:]*:\([^@]*\)@.*|\1|' /run/secrets/auth-server-database-url`
\set resource_api_password `sed 's|.*://[^:]*:\([^@]*\)@.*|\1|' /run/secrets/resource-api-database-url`

create role auth_server nologin;
create role resource_api nologin;
create role migrator login password :'migrator_password' in role auth_server, resource_api;
create role auth_server_login login password :'auth_server_password' in role auth_server;
create role resource_api_login login password :'resource_api_password' in role resource_api;

revoke all on database tasks from public;
revoke all on schema public from public;
grant connect, create on database tasks to migrator;
grant connect on database tasks to auth_server, resource_api;
