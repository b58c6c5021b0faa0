/**
 * Settings: `value` is JSON, `secret` is sealed JSON; one of them is null. `token_details` has what
 * the API stores with a token besides the columns of `credentials`, as JSON. `token_log` has the
 * latest requests of tokens, as JSON.
 */
export const CONTROL_TABLES = `
create table settings (
  name <sorted> primary key,
  value text,
  secret text
);
create table token_details (
  token text primary key,
  details text not null
);
create table token_log (
  number <counter>,
  token text not null,
  time <integer> not null,
  entry text not null
);
create index token_log_token on token_log (token, number);
`
