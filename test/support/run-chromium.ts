/** Runs a browser for a whole test run: prints its URL, and exits when its input ends. */
import { chromium } from 'playwright-core'

const [executablePath = ''] = process.argv.slice(2)

// Ctrl+C is sent to every process of the terminal; this one waits for the tests to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const server = await chromium.launchServer({
  executablePath,
  host: '127.0.0.1',
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
    ...['--disable-background-networking', '--disable-component-update'],
    // For pages of another site.
    '--host-resolver-rules=MAP elsewhere.example 127.0.0.1'
  ]
})
process.stdout.write(`${server.wsEndpoint()}\n`)
process.stdin.resume().once('end', () => server.close())
