/** Accounts whose access token is being refreshed, by which process, and until when at most. */
export const TOKEN_REFRESH_TABLES = `
create table token_refreshes (
  account <sorted> primary key,
  holder text not null,
  until <integer> not null
);
`
