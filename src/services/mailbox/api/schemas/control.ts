import type { InputSchemas } from '../route.ts'
import { BOOLEAN, object, PAGES, text } from './parts.ts'
import { SETTING_QUERY, SETTINGS } from './settings.ts'
import { tokenBody } from './token.ts'

const TOKENS = {
  account: text(256),
  query: text(256),
  ...PAGES
}

export const controlSchemas = {
  readSettings: { query: SETTING_QUERY },
  changeSettings: { body: object(SETTINGS) },
  pauseQueue: { body: object({ paused: BOOLEAN }, ['paused']) },
  addToken: { body: tokenBody, maxBodyBytes: 64 * 1024 },
  listTokens: { query: TOKENS },
  listAccountTokens: { query: PAGES },
  tokenLog: { query: PAGES },
  stats: {
    query: { seconds: { type: 'integer', minimum: 60, maximum: 86_400, default: 3600 } }
  },
  changeLicense: { body: object({ license: text(10_240) }) }
} satisfies Partial<Record<string, InputSchemas>>
