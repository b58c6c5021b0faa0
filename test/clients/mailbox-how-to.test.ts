/** The files that docs/how-to/catch-mail.md shows, run as it says. */
import assert from 'node:assert/strict'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ROOT, runNonet, temporaryFolder } from '../support/launcher.ts'
import { freePortBase } from '../support/ports.ts'

/** The application of the Playwright sample. */
const APP = `import { createServer } from 'node:http'
import { createTransport } from 'nodemailer'

const base = 'http://127.0.0.1:3000'
const transport = createTransport(process.env.SMTP_URL)
createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, base)
  const email = searchParams.get('email')
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (pathname === '/confirm') response.end('<p>Welcome, ' + email + '</p>')
  else if (pathname === '/sign-up') {
    const text = 'Confirm: ' + base + '/confirm?email=' + encodeURIComponent(email)
    await transport.sendMail({ from: 'shop@example.org', to: email, subject: 'Confirm', text })
    response.end('<p>Look into your mailbox</p>')
  } else response.end('<form action="/sign-up"><label>Email <input name="email"></label><button>Sign up</button></form>')
}).listen(3000, '127.0.0.1')
`

/** Options that depend on the machine, which the page leaves out. */
const BROWSER = `use: { launchOptions: { executablePath: process.env.NONET_CHROMIUM, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] }, `

describe('the samples of catch-mail.md', () => {
  let folder: ReturnType<typeof temporaryFolder>
  before(async () => {
    folder = temporaryFolder()
    const port = String(await freePortBase())
    const page = readFileSync(join(ROOT, 'docs/how-to/catch-mail.md'), 'utf8')
    const files = [...page.matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)]
    assert.equal(files.length, 7)
    for (const [, name = '', source = ''] of [...files, ['', 'app.js', APP]]) {
      const used = source
        .replaceAll(':3000', `:${port}`)
        .replaceAll('listen(3000', `listen(${port}`)
      writeFileSync(join(folder.path, name), used.replace('use: { ', BROWSER))
    }
    writeFileSync(join(folder.path, 'package.json'), '{"private":true,"type":"module"}')
    symlinkSync(join(ROOT, 'test/clients/node_modules'), join(folder.path, 'node_modules'))
  })
  after(() => folder[Symbol.dispose]())

  function run(script: string, ...args: string[]) {
    const cli = join(folder.path, 'node_modules', script)
    const flags = ['--ephemeral', '--port-base=0', '--quiet']
    return runNonet(['up', 'mailbox', ...flags, '--', process.execPath, cli, ...args], {
      cwd: folder.path,
      env: { FORCE_COLOR: '0', NO_COLOR: '1' }
    })
  }

  test('Vitest', async () => {
    // Its 5 s are too short for a busy machine.
    const { code, stdout, stderr } = await run('vitest/vitest.mjs', 'run', '--testTimeout=60000')
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /Tests +2 passed/)
  })

  test('Playwright', async () => {
    const { code, stdout, stderr } = await run('@playwright/test/cli.js', 'test')
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /\b1 passed\b/)
  })
})
