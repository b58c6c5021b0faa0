import type { Handler } from '../api/route.ts'
import { showLicense } from './license.ts'
import { metrics } from './metrics.ts'
import { addToken } from './new-token.ts'
import { pauseQueue, showQueue } from './queues.ts'
import { changeSettings, readSettings } from './settings.ts'
import { stats } from './stats.ts'
import { listAccountTokens, listTokens, removeToken, showToken, tokenLog } from './tokens.ts'

export const controlHandlers = {
  readSettings,
  changeSettings,
  showQueue,
  pauseQueue,
  addToken,
  listTokens,
  listAccountTokens,
  showToken,
  removeToken,
  tokenLog,
  stats,
  showLicense,
  changeLicense: showLicense,
  removeLicense: showLicense,
  metrics
} satisfies Record<string, Handler>
