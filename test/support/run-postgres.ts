/** Runs a server for a whole test run: prints its URL and process id, exits when its input ends. */
import { createPostgresServer } from './postgres-server.ts'

const [binaries = ''] = process.argv.slice(2)

// Ctrl+C is sent to every process of the terminal; this one waits for the tests to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const server = await createPostgresServer({ binaries })
await server.start()
process.stdout.write(`${server.url} ${server.processId()}\n`)
process.stdin.resume().once('end', server.close)
