/**
 * Messages that are sent, or were. `id` is the queue id, which sorts by the time of sending.
 * `envelope`, `options` and `progress` are JSON; `hash` is the file of the message, null after it
 * was sent or has failed. `state` is 'queued', 'sending', 'ending' (the server may have the whole
 * message), 'sent' (the server has accepted it), 'submitted' or 'failed'. `attempts` counts those
 * that have ended; `run` grows with each one that begins, so that an interrupted one changes
 * nothing any more. `submission_keys` has the values of `Idempotency-Key`, hashed, with the response
 * that a repeated request gets. `event_counts` has numbers of events by minute; the totals have the
 * minute 0.
 */
export const SUBMISSION_TABLES = `
create table submissions (
  id <sorted> primary key,
  account <sorted> not null references accounts (id),
  message_id text not null,
  subject text not null,
  envelope text not null,
  options text not null,
  progress text not null,
  source text not null,
  idempotency_key text,
  hash <sorted>,
  size <integer> not null,
  state <sorted> not null,
  attempts <integer> not null,
  max_attempts <integer> not null,
  run <integer> not null,
  created_at <integer> not null,
  send_at <integer> not null,
  next_attempt_at <integer>,
  ended_at <integer>
);
create index submissions_account on submissions (account, id);
create index submissions_ended on submissions (state, ended_at);
create table submission_keys (
  account <sorted> not null references accounts (id),
  key <sorted> not null,
  request <sorted> not null,
  response text not null,
  created_at <integer> not null,
  primary key (account, key)
) <clustered>;
create index submission_keys_time on submission_keys (created_at);
create table event_counts (
  account <sorted> not null,
  name <sorted> not null,
  minute <integer> not null,
  count <integer> not null,
  primary key (account, name, minute)
) <clustered>;
create index event_counts_minute on event_counts (minute);
`
