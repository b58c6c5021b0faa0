import type { Engine } from '../../src/kernel/database/database.ts'

/** Both, unless one service alone is tested, which is done on SQLite: `npm test` sets the variable. */
export const ENGINES: readonly Engine[] =
  process.env.NONET_POSTGRES === undefined ? ['sqlite'] : ['sqlite', 'postgres']
