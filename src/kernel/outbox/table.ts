import type { Migration } from '../database/database.ts'
import { migrationFrom } from '../database/migration-sql.ts'

/**
 * For the migrations of a service with an outbox; never changed once released. Times are in Unix
 * milliseconds. `event_key` names what a job is about, so that it is added only once. `state` is
 * 'waiting', 'done', 'dead' or 'removed'. A job that runs has a lease until `lease_until`; `fence`
 * grows with each lease, so that a process whose lease has ended changes nothing.
 *
 * `is_candidate` is 1 for the rows that a claim looks at when `run_at` has come, 0 for those behind
 * another one of their lane. Every lane with waiting jobs has a candidate: a new job is one, until
 * a claim finds an earlier job; a job that has ended stays one, until a claim has made the next
 * job of its lane the candidate. While a job runs, `run_at` is the end of its lease.
 */
export function outboxMigration(): Migration {
  return migrationFrom(`
    create table outbox (
      number <counter>,
      id text not null unique,
      event_key text not null unique,
      kind text not null,
      lane text not null,
      payload text not null,
      state text not null,
      is_candidate <integer> not null,
      run_at <integer> not null,
      attempts <integer> not null,
      fence <integer> not null,
      lease_until <integer>,
      created_at <integer> not null,
      ended_at <integer>,
      last_error text
    );
    create index outbox_candidates on outbox (run_at, number) where is_candidate = 1;
    create index outbox_lane on outbox (lane, number) where state = 'waiting';
    create index outbox_ended on outbox (state, ended_at) where state <> 'waiting';
    create index outbox_history on outbox (lane, number)`)
}
