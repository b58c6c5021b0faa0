import { sandboxAccounts } from '../support/mail-account.ts'
import { uploadTests } from '../support/mailbox-upload-tests.ts'

sandboxAccounts('uploads', uploadTests)
