import { sandboxAccounts } from '../support/mail-account.ts'
import { corpusTests } from '../support/mailbox-corpus-tests.ts'

// Messages are parsed in the same way on both engines.
sandboxAccounts('corpus', corpusTests, {}, ['sqlite'])
