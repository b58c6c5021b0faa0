import type { Options, Settings } from '../../kernel/service.ts'

const MIB = 1024 * 1024

export const settings = {
  title: {
    kind: 'string',
    example: 'Posts of Ada',
    about: 'name of the site in pages and feeds (default: its host name)'
  },
  redirectStatus: {
    kind: 'string',
    choices: ['301', '302', '303', '307', '308'],
    default: '302',
    about:
      'status of redirects to the right user name; caches keep 301 and 308, also after a rename'
  },
  tombstones: {
    kind: 'boolean',
    default: false,
    about: 'respond with 410 instead of 404 to posts that were public and are deleted now'
  },
  rateLimit: {
    kind: 'number',
    default: 30_000,
    minimum: 0,
    maximum: 10_000_000,
    about: 'maximum number of requests per minute and IP address (0 = no limit)'
  },
  maxTextLength: {
    kind: 'number',
    default: 4_000,
    minimum: 1,
    maximum: 100_000,
    about: 'maximum number of characters of a new post'
  },
  maxFileBytes: {
    kind: 'number',
    default: 1024 * MIB,
    minimum: 1,
    maximum: 16 * 1024 * MIB,
    about: 'maximum size of an imported video in bytes'
  },
  maxArchiveBytes: {
    kind: 'number',
    default: 16 * 1024 * MIB,
    minimum: 1,
    maximum: 1024 * 1024 * MIB,
    about: 'maximum size of an archive that is uploaded in the browser, in bytes'
  }
} as const satisfies Settings

export type StatusOptions = Options<typeof settings>
