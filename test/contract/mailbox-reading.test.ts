import { readerOf } from '../support/mailbox-reader.ts'
import { playReading } from '../support/mailbox-reading-plays.ts'
import { sandboxes } from './mailbox-site.ts'

sandboxes('Reading mail of an account', {}, (sandbox) => {
  playReading(async () => readerOf({ url: sandbox().url, ...(await sandbox().account()) }))
})
