import { readerOf } from '../support/mailbox-reader.ts'
import { playSearch } from '../support/mailbox-search-plays.ts'
import { sandboxes } from './mailbox-site.ts'

sandboxes('Searching mail of an account', {}, (sandbox) => {
  playSearch(async () => readerOf({ url: sandbox().url, ...(await sandbox().account()) }))
})
