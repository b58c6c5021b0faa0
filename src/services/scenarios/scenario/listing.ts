import { defineScenario, readNothing, readWhole } from './definition.ts'

/** Edge cases of lists; implemented by the list endpoint. */
export const emptyList = defineScenario({
  name: 'empty-list',
  usage: 'empty-list',
  about: 'lists have no entries',
  example: 'GET /api/users?scenario=empty-list',
  read: readNothing
})

export const oneItem = defineScenario({
  name: 'one-item',
  usage: 'one-item',
  about: 'lists have one entry',
  example: 'GET /api/users?scenario=one-item',
  read: readNothing
})

export const lastPageShort = defineScenario({
  name: 'last-page-short',
  usage: 'last-page-short',
  about: 'the last page is not full',
  example: 'GET /api/users?page=2&scenario=last-page-short',
  read: readNothing
})

export const pagePastEnd = defineScenario({
  name: 'page-past-end',
  usage: 'page-past-end',
  about: 'every request for a page returns the page after the last one',
  example: 'GET /api/users?scenario=page-past-end',
  read: readNothing
})

export const MAX_LARGE_LIST = 10_000

export const largeList = defineScenario<number>({
  name: 'large-list',
  usage: 'large-list[:n]',
  about:
    'lists have n entries (default 247): the twelve samples, then generated entries with ids from 13',
  example: 'GET /api/users?per_page=100&scenario=large-list:1000',
  read: readWhole(247, 13, MAX_LARGE_LIST)
})

export const cursor = defineScenario({
  name: 'cursor',
  usage: 'cursor',
  about: 'lists use cursor pagination: {data, meta:{limit, returned, next_cursor, has_more}}',
  example: 'GET /api/users?limit=5&scenario=cursor',
  read: readNothing
})

export const shifting = defineScenario({
  name: 'shifting',
  usage: 'shifting',
  about:
    'an entry is added at the top between page 1 and page 2, so page 2 repeats an entry of page 1',
  example: 'GET /api/users?page=2&scenario=shifting',
  read: readNothing
})

/** Edge cases of field values; implemented where records are written. */
export const nulls = defineScenario({
  name: 'nulls',
  usage: 'nulls',
  about: 'avatar and last name are null',
  example: 'GET /api/users/2?scenario=nulls',
  read: readNothing
})

export const longText = defineScenario({
  name: 'long-text',
  usage: 'long-text',
  about: 'names have 300 characters without a space',
  example: 'GET /api/users/2?scenario=long-text',
  read: readNothing
})

export const unicode = defineScenario({
  name: 'unicode',
  usage: 'unicode',
  about: 'names contain emoji, combining marks and wide characters',
  example: 'GET /api/users/2?scenario=unicode',
  read: readNothing
})

export const rtl = defineScenario({
  name: 'rtl',
  usage: 'rtl',
  about: 'names are in Arabic and Hebrew',
  example: 'GET /api/users/2?scenario=rtl',
  read: readNothing
})

export const xss = defineScenario({
  name: 'xss',
  usage: 'xss',
  about: 'names contain HTML with a script; a safe page shows them as text',
  example: 'GET /api/users/2?scenario=xss',
  read: readNothing
})
