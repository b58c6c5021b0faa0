import type { Engine } from '../../src/kernel/database/database.ts'

/** `npm test` sets the variable; tests of a single service run without it, on SQLite only. */
export const ENGINES: readonly Engine[] =
  process.env.NONET_POSTGRES === undefined ? ['sqlite'] : ['sqlite', 'postgres']
