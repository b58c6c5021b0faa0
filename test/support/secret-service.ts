import { configure } from '../../src/host/configuration.ts'
import type { Configuration, RawSettings } from '../../src/host/configuration-reader.ts'
import { type Host, openHost } from '../../src/host/host.ts'
import { migrationFrom } from '../../src/kernel/database/migration-sql.ts'
import { query, queryAutocommit } from '../../src/kernel/database/transaction.ts'
import { secretsMigration } from '../../src/kernel/secrets/table.ts'
import type { Service } from '../../src/kernel/service.ts'

const PURPOSE = 'number'
const purposeOf = (name: string | number) => `name ${name}`

/**
 * The smallest service with secrets. POST /fill/<count> stores that many numbers, GET /sum reads
 * them all; POST /<name>/<value> stores a value that is bound to its name, GET /<name> reads it.
 */
export function secretService(name: string): Service {
  return {
    name,
    label: 'I-99',
    summary: 'keeps secrets',
    compatibleWith: 'nothing',
    example: { method: 'GET', path: '/sum' },
    settings: {},
    migrations: [
      migrationFrom(
        `create table numbers (id <integer> primary key, sealed text not null);
         create table named (name text primary key, sealed text)`
      ),
      secretsMigration()
    ],
    secrets: {
      columns: [
        { table: 'numbers', key: 'id', column: 'sealed', purpose: PURPOSE },
        { table: 'named', key: 'name', column: 'sealed', purpose: purposeOf }
      ]
    },
    renderError: ({ statusCode = 500, message }) => ({
      status: statusCode,
      body: message,
      type: 'text/plain'
    }),
    openapi: () => ({}),
    async mount({ database, secrets }) {
      return {
        routes(app) {
          app.post<{ Params: { count: string } }>('/fill/:count', async ({ params }) => {
            await database.write(function* () {
              for (let id = 1; id <= Number(params.count); id++) {
                const sealed = secrets.seal(PURPOSE, String(id))
                yield* query('insert into numbers (id, sealed) values (?, ?)', id, sealed)
              }
            })
            return ''
          })
          app.get('/sum', async () => {
            const rows = await database.read(() =>
              queryAutocommit<{ sealed: string }>('select sealed from numbers')
            )
            const sum = rows.reduce((n, { sealed }) => n + Number(secrets.open(PURPOSE, sealed)), 0)
            return String(sum)
          })
          app.post<{ Params: Record<string, string> }>('/:name/:value', async ({ params }) => {
            const { name: key = '', value = '' } = params
            const sealed = secrets.seal(purposeOf(key), value)
            await database.write(() =>
              queryAutocommit('insert into named (name, sealed) values (?, ?)', key, sealed)
            )
            return ''
          })
          app.get<{ Params: { name: string } }>('/:name', async ({ params }) => {
            const [row] = await database.read(() =>
              queryAutocommit<{ sealed: string }>(
                'select sealed from named where name = ?',
                params.name
              )
            )
            const opened = row && secrets.open(purposeOf(params.name), row.sealed)
            return opened?.toString() ?? 'none'
          })
        }
      }
    }
  }
}

export function configurationFor(service: Service, given: RawSettings): Configuration {
  return { ...configure({ portBase: 0, quiet: true, ...given }), services: [service] }
}

export interface SecretHost extends AsyncDisposable {
  host: Host
  warnings: readonly string[]
  get: (path: string) => Promise<string>
  post: (path: string) => Promise<string>
}

export async function openSecretHost(configuration: Configuration, index = 0): Promise<SecretHost> {
  const warnings: string[] = []
  const host = await openHost(configuration, {
    requestLog: undefined,
    warn: (text) => warnings.push(text),
    onUnexpectedError: (_, error) => warnings.push(error.message)
  })
  const url = host.services[index]?.url ?? ''
  const send = async (method: string, path: string) =>
    (await fetch(`${url}/${path}`, { method })).text()
  return {
    host,
    warnings,
    get: (path) => send('GET', path),
    post: (path) => send('POST', path),
    [Symbol.asyncDispose]: host.stop
  }
}
