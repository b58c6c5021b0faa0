/** The script of the writing page, which works without it too. */
import { prepareComposer } from './composer.ts'
import { prepareForms } from './forms.ts'
import { prepareImport } from './import.ts'

prepareForms()
prepareComposer()
prepareImport()
