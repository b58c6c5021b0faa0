import { randomBytes } from 'node:crypto'
import type { MailboxContext } from '../context.ts'
import { settingPurpose } from '../store/migrations.ts'
import { addSettingRow } from '../store/settings.ts'

const NAME = 'serviceSecret'
const BYTES = 16

/** The secret that signs deliveries; made with the first one, if none is set. */
export async function readServiceSecret({
  kernel: { database, secrets },
  settings
}: Pick<MailboxContext, 'kernel' | 'settings'>): Promise<string> {
  const store = await settings()
  const { serviceSecret } = await store.read()
  if (serviceSecret !== '') return serviceSecret
  const json = JSON.stringify(randomBytes(BYTES).toString('hex'))
  const secret = secrets.seal(settingPurpose(NAME), json)
  // Another process may have stored one meanwhile; the stored one counts.
  await database.write(() => addSettingRow({ name: NAME, value: null, secret }))
  store.forget()
  return (await store.read()).serviceSecret
}
