import type { MailboxContext } from '../context.ts'
import { settingPurpose } from '../store/migrations.ts'
import { readSettingRows, type SettingRow, storeSettingRows } from '../store/settings.ts'
import type { SettingStore, SettingValues } from './setting-store.ts'

/** Other processes that share the tables see a change after this time at most. */
const CACHE_MS = 1000
/** Stored sealed: a URL may have a password, and headers may be credentials. */
const SECRETS: readonly string[] = [
  'serviceSecret',
  'webhooks',
  'webhooksCustomHeaders'
] satisfies (keyof SettingValues)[]

export const DEFAULTS: SettingValues = {
  deliveryAttempts: 10,
  queueKeep: 0,
  smtpEhloName: undefined,
  ignoreMailCertErrors: false,
  logs: { all: false, maxLogLines: 10_000 },
  locale: undefined,
  timezone: undefined,
  serviceUrl: undefined,
  serviceSecret: '',
  webhooksEnabled: undefined,
  webhooks: undefined,
  webhooksCustomHeaders: [],
  webhookEvents: ['*'],
  inboxNewOnly: false,
  notifyHeaders: [],
  notifyText: false,
  notifyTextSize: 2 * 1024 * 1024,
  notifyWebSafeHtml: false,
  notifyAttachments: false,
  notifyAttachmentSize: 5 * 1024 * 1024,
  notifyCalendarEvents: false,
  imapIndexer: 'full',
  tokenAuditLog: false,
  disableTokens: undefined,
  pausedQueues: []
}

export function openSettings({
  kernel: { database, secrets, now }
}: Pick<MailboxContext, 'kernel'>): SettingStore {
  let cached: { readonly until: number; readonly values: Promise<SettingValues> } | undefined

  async function load(): Promise<SettingValues> {
    const rows = await database.read(readSettingRows)
    const stored = rows.filter(({ name }) => Object.hasOwn(DEFAULTS, name)).map(entryOf)
    return { ...DEFAULTS, ...Object.fromEntries(stored) }
  }

  function entryOf({ name, value, secret }: SettingRow): [string, unknown] {
    const json = secret === null ? value : secrets.open(settingPurpose(name), secret).toString()
    return [name, JSON.parse(json ?? 'null')]
  }

  function rowOf([name, value]: [string, unknown]): SettingRow {
    if (value === undefined) return { name, value: null, secret: null }
    const json = JSON.stringify(value)
    return SECRETS.includes(name)
      ? { name, value: null, secret: secrets.seal(settingPurpose(name), json) }
      : { name, value: json, secret: null }
  }

  return {
    forget() {
      cached = undefined
    },
    read() {
      const time = now().getTime()
      if (cached === undefined || cached.until <= time || cached.until > time + CACHE_MS) {
        const values = load()
        const entry = { until: time + CACHE_MS, values }
        cached = entry
        values.catch(() => {
          if (cached === entry) cached = undefined
        })
      }
      return cached.values
    },
    async change(values) {
      const rows = Object.entries(values).map(rowOf)
      await database.write(() => storeSettingRows(rows))
      cached = undefined
    },
    async changeQueue(queue, isPaused) {
      await database.write(function* () {
        const row = (yield* readSettingRows()).find(({ name }) => name === 'pausedQueues')
        const before: string[] = JSON.parse(row?.value ?? '[]')
        const others = before.filter((name) => name !== queue)
        yield* storeSettingRows([rowOf(['pausedQueues', isPaused ? [...others, queue] : others])])
      })
      cached = undefined
    }
  }
}
