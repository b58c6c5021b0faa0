/** Rotates the key of the service in the arguments, until it ends or is killed. */
import { rotateSecrets } from '../../src/host/rotate-secrets.ts'
import { configurationFor, secretService } from './secret-service.ts'

const [name = '', data = '', database = ''] = process.argv.slice(2)
const given = database === '' ? { data } : { data, database }
await rotateSecrets(configurationFor(secretService(name), given), { keepOld: false })
