/**
 * The last error of deliveries to a receiver, until one succeeds: `account` is the one whose own
 * receiver it is, empty for the receiver of the settings. `error` is JSON.
 */
export const WEBHOOK_TABLES = `
create table webhook_errors (
  account <sorted> primary key,
  error text not null,
  updated_at <integer> not null
);
`
