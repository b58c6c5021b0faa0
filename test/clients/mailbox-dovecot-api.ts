import { dovecotAccounts } from '../support/mail-account.ts'
import { changeTests } from '../support/mailbox-change-tests.ts'
import { corpusTests } from '../support/mailbox-corpus-tests.ts'
import { uploadTests } from '../support/mailbox-upload-tests.ts'

dovecotAccounts('messages by the API', [changeTests, uploadTests, corpusTests])
