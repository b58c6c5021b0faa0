import type { RemoteCommand } from '../../../kernel/service.ts'

/** The flags of `nonet import statuses`, each with its line of help. */
export const importFlags = {
  visibility: { type: 'string', about: 'public (default) or hidden, for all imported posts' },
  public: { type: 'boolean', about: 'publish posts of an account that was once protected' },
  'skip-replies-to-others': { type: 'boolean', about: 'leave out replies to other accounts' },
  'skip-retweets': {
    type: 'boolean',
    about: 'leave out reposts, which are stored hidden otherwise'
  },
  community: { type: 'boolean', about: 'import posts of communities too, hidden' },
  since: { type: 'string', about: 'leave out posts before this day, such as 2020-01-31' },
  until: { type: 'string', about: 'leave out posts after this day' },
  'exclude-ids': { type: 'string', about: 'file with ids of posts to leave out, one per line' },
  'alt-text': { type: 'string', about: 'JSON file with descriptions of images' },
  handle: { type: 'string', about: 'user name to import the posts under' },
  'former-handle': { type: 'string', about: 'earlier user names, separated by commas' },
  'new-account': { type: 'boolean', about: 'add the account although another one has its name' },
  'dry-run': { type: 'boolean', about: 'report what an import would do, without changes' },
  json: { type: 'boolean', about: 'print the report as JSON' }
} as const satisfies RemoteCommand['flags']

export type ImportFlag = keyof typeof importFlags
