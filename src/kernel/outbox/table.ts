import type { Migration } from '../database/database.ts'
import { migrationFrom } from '../database/migration-sql.ts'

/**
 * For the migrations of a service with an outbox; never changed once released. Times are in Unix
 * milliseconds. `event_key` names what a job is about, so that it is added only once. `state` is
 * 'waiting', 'done' or 'dead'. A job that runs has a lease; `fence` grows with each lease, so that
 * a process whose lease has ended changes nothing.
 */
export function outboxMigration(): Migration {
  return migrationFrom(`
    create table outbox (
      number <counter>,
      id text not null unique,
      event_key text not null unique,
      kind text not null,
      lane <sorted> not null,
      payload text not null,
      state text not null,
      run_at <integer> not null,
      attempts <integer> not null,
      fence <integer> not null,
      lease_until <integer>,
      created_at <integer> not null,
      ended_at <integer>,
      last_error text
    );
    create index outbox_lane on outbox (lane, number) where state = 'waiting';
    create index outbox_run_at on outbox (run_at) where state = 'waiting';
    create index outbox_ended on outbox (ended_at) where state <> 'waiting';
    create index outbox_history on outbox (lane, number)`)
}
