import { Migration } from '@mikro-orm/migrations';

/** PostgreSQL takes the names of these zones for abbreviations, without summer time: they go by cities. */
export class Migration0026ZoneAbbreviations extends Migration {
  override up(): void {
    this.addSql(`create or replace function auth.known_zone(zone text) returns text
      language plpgsql stable as $$
      declare
        known constant text := case zone when 'CET' then 'Europe/Brussels' when 'EET' then 'Europe/Athens'
          when 'MET' then 'Europe/Brussels' when 'WET' then 'Europe/Lisbon' else zone end;
      begin
        perform now() at time zone known;
        return known;
      exception when invalid_parameter_value then
        return 'UTC';
      end $$`);
  }
}
