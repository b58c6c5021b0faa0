import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  launchLoadedNonet,
  ROOT,
  runAlone,
  runNonet,
  temporaryFolder
} from '../support/launcher.ts'

const version: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version

test('--version prints the version', async () => {
  assert.deepEqual(await runAlone(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
})

test('--help lists the commands, and each command shows an example', async () => {
  const { code, stdout } = await runNonet(['--help'])
  assert.equal(code, 0)
  const names = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = '']) => name)
  assert.deepEqual(names, [
    ...['up', 'mock', 'proxy', 'convert', 'check', 'import', 'export', 'types'],
    ...['token', 'secrets', 'reset', 'backup', 'restore', 'copy', 'config', 'doctor']
  ])
  for (const name of names) {
    const help = await runNonet([name, '--help'])
    assert.equal(help.code, 0)
    assert.match(help.stdout, new RegExp(`Examples?:\\n {2}nonet ${name}`))
  }
})

const complaints: readonly { args: string[]; says: string }[] = [
  { args: ['upp'], says: 'nonet: Unknown command upp; did you mean up? See nonet --help\n' },
  {
    args: ['--hlp'],
    says: 'nonet: Unknown option --hlp; did you mean --help? See nonet --help\n'
  },
  {
    args: ['doctor', '--no-jsn'],
    says: 'nonet: Unknown flag --no-jsn for doctor; did you mean --no-json? See nonet doctor --help\n'
  },
  {
    args: ['convert', 'a.yaml', '-x'],
    says: 'nonet: Unknown flag -x for convert. See nonet convert --help\n'
  },
  { args: ['convert', '-o'], says: "nonet: Option '-o, --output <value>' argument missing\n" },
  {
    args: ['up', '--prot-base', '5000'],
    says: 'nonet: Unknown flag --prot-base for up; did you mean --port-base? See nonet up --help\n'
  },
  {
    args: ['check', 'referense', '.'],
    says: 'nonet: Unknown service referense; did you mean reference?\n'
  },
  {
    args: ['check', 'forms', '.'],
    says: 'nonet: check is not supported for forms; services with it: reference, mock, cards\n'
  },
  {
    args: ['check', 'reference', '.', '--data=x'],
    says: 'nonet: check reference: --data is not supported with a folder\n'
  },
  {
    args: ['types', 'forms'],
    says: 'nonet: types is not supported for forms; services with it: cards\n'
  },
  {
    args: ['types', 'bxes', 'x.ts'],
    says: 'nonet: Unknown service bxes; did you mean boxes?\n'
  },
  { args: ['up', 'refrence'], says: 'nonet: Unknown service refrence; did you mean reference?\n' },
  { args: ['reset', 'reference', 'forms'], says: 'nonet: Unexpected argument: forms\n' },
  {
    args: ['export', 'reference', 'x'],
    says: 'nonet: --base-url must be an http or https URL. Usage: nonet export <service> <folder or file> [--html] [--base-url <url>] [--from <dir>] [--box <id>] [options of up]\n'
  }
]

for (const { args, says } of complaints) {
  test(`nonet ${args.join(' ')} is answered with one line and exit code 2`, async () => {
    assert.deepEqual(await runNonet(args), { code: 2, stdout: '', stderr: says })
  })
}

const refusals: readonly { args: string[]; says: RegExp }[] = [
  {
    args: ['up', '--port-base=70000'],
    says: /^nonet: --port-base must be a whole number from 0 to 65000\n$/
  },
  { args: ['up', '--port=forms'], says: /^nonet: --port expects service=value, not forms\n$/ },
  { args: ['up', '--port=nope=1'], says: /^nonet: --port has an unknown service: nope\n$/ },
  {
    args: ['up', '--port=mailbox-pop=1'],
    says: /^nonet: --port has an unknown service: mailbox-pop\n$/
  },
  {
    args: ['up', '--public-url=forms=ftp://x'],
    says: /^nonet: --public-url forms=… must be an http/
  },
  {
    args: ['up', '--reference-units=maybe'],
    says: /^nonet: --reference-units must be one of on, off\n$/
  },
  { args: ['up', '--trusted-proxy=proxy.example'], says: /^nonet: .*proxy\.example.*\n$/ },
  { args: ['up', '--config=/no/such/file.json'], says: /^nonet: Cannot read .*no.such.file\.json/ },
  { args: ['up', '--reference-data=/no/such/folder'], says: /^nonet: .*nonet check reference/s }
]

for (const { args, says } of refusals) {
  test(`nonet ${args.join(' ')} does not start`, async () => {
    const { code, stdout, stderr } = await runNonet([...args, '--ephemeral'])
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /\n {4}at /)
  })
}

test('flags win over the environment, the environment over the file; secrets are masked', async () => {
  using folder = temporaryFolder()
  writeFileSync(
    join(folder.path, 'nonet.config.json'),
    JSON.stringify({
      $schema: './nonet.schema.json',
      services: ['forms'],
      portBase: 5000,
      port: { reference: 8000 },
      quiet: true,
      reference: { units: 'off' },
      forms: { webhook: 'https://hooks.example/secret' }
    })
  )
  const { code, stdout } = await runNonet(
    ['config', '--host', '127.0.0.2', '--port-base', '7000'],
    {
      cwd: folder.path,
      env: {
        NONET_PORT_BASE: '6000',
        NONET_REFERENCE_UNITS: 'on',
        NONET_ADMIN_TOKEN: 'hidden-from-everybody'
      }
    }
  )
  assert.equal(code, 0)
  const shown = JSON.parse(stdout)
  assert.deepEqual(shown.services, ['forms'])
  assert.equal(shown.portBase, 7000)
  assert.deepEqual(shown.port, { reference: 8000 })
  assert.deepEqual(shown.host, ['127.0.0.2'])
  assert.equal(shown.quiet, true)
  assert.equal(shown.reference.units, 'on')
  assert.equal(shown.adminToken, '********')
  assert.equal(shown.forms.webhook, '********')
  assert.doesNotMatch(stdout, /hidden|hooks\.example/)
})

test('--as-original sets the switches of the original services, and says so', async () => {
  using folder = temporaryFolder()
  const config = async (...flags: string[]) => {
    const { stdout, stderr } = await runNonet(['config', ...flags], { cwd: folder.path })
    const { asOriginal, reference, scenarios } = JSON.parse(stdout)
    return { asOriginal, units: reference.units, status: scenarios.authStatus, stderr }
  }
  assert.deepEqual(await config(), { asOriginal: false, units: 'on', status: 403, stderr: '' })
  assert.deepEqual(await config('--as-original', '--scenarios-auth-status=422'), {
    asOriginal: true,
    units: 'off',
    status: 422,
    stderr: 'nonet: set by --as-original: --reference-units off\n'
  })
  const { stdout: help } = await runNonet(['up', '--help'])
  assert.match(help, /--as-original .*: --reference-units off, --scenarios-auth-status 400$/m)
  const script = `
    const { NONET_REFERENCE_URL, NONET_SCENARIOS_URL } = process.env
    const { height } = await (await fetch(NONET_REFERENCE_URL + '/api/people/1/')).json()
    const { status } = await fetch(NONET_SCENARIOS_URL + '/api/login', { method: 'POST' })
    console.log('clients get', height, status)
    const headers = { accept: 'text/html' }
    for (const page of [NONET_REFERENCE_URL + '/api/', NONET_SCENARIOS_URL + '/']) {
      const [top] = (await (await fetch(page, { headers })).text()).split('<h2')
      console.log('the page names', /<code[^>]*>(--[^<]*)</.exec(top)?.[1])
    }`
  const up = ['up', 'reference', 'scenarios', '--ephemeral', '--port-base=0', '--as-original']
  const command = ['--', process.execPath, '--input-type=module', '--eval', script]
  const { stdout } = await runNonet([...up, ...command])
  assert.match(
    stdout,
    /^As the original services: --reference-units off, --scenarios-auth-status 400$/m
  )
  assert.match(stdout, /^clients get 171 400$/m)
  const switches = { reference: '--reference-units off', scenarios: '--scenarios-auth-status 400' }
  const configuration = readFileSync(join(ROOT, 'docs/reference/configuration.md'), 'utf8')
  for (const [service, text] of Object.entries(switches)) {
    const [top = ''] = readFileSync(join(ROOT, `docs/services/${service}.md`), 'utf8').split(
      '\n## '
    )
    assert.ok(top.includes(`\`${text}\``), `the top of the page of ${service}`)
    assert.ok(configuration.includes(`\`${text}\``), text)
    assert.ok(stdout.includes(`the page names ${text}\n`), stdout)
  }
})

test('an unknown key of the file is refused by name', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'nonet.config.json'), '{"forms":{"webhok":"x"}}')
  const { code, stderr } = await runNonet(['config'], { cwd: folder.path })
  assert.equal(code, 1)
  assert.match(stderr, /^nonet: Unknown key forms\.webhok in .*nonet\.config\.json\n$/)
})

/** Keys of the configuration that have no default. */
const SHOWN_IF_SET = [
  ...['$schema', 'adminToken', 'database', 'secretKey', 'secretKeyFile'],
  ...['files', 'filesAccessKey', 'filesSecretKey', 'filesSessionToken']
]

test('config --schema describes exactly the keys that config shows', async () => {
  const schema = JSON.parse((await runNonet(['config', '--schema'])).stdout)
  const shown = JSON.parse((await runNonet(['config'])).stdout)
  const properties = { ...schema.properties }
  for (const key of SHOWN_IF_SET) {
    assert.ok(key in properties, key)
    delete properties[key]
  }
  assert.deepEqual(Object.keys(properties).sort(), Object.keys(shown).sort())
  for (const name of ['reference', 'forms']) {
    const known = Object.keys(properties[name].properties)
    for (const key of Object.keys(shown[name])) assert.ok(known.includes(key), `${name}.${key}`)
  }
})

test('doctor finds a free machine well and a taken port wanting', async () => {
  await using nonet = await launchLoadedNonet(['--ephemeral'])
  const { port } = new URL(nonet.ready.services.forms ?? '')
  using folder = temporaryFolder()
  const sick = await runNonet(['doctor', '--port', `forms=${port}`, '--json'], { cwd: folder.path })
  const { ok, diagnoses } = JSON.parse(sick.stdout)
  assert.equal(sick.code, 1)
  assert.equal(ok, false)
  assert.ok(
    diagnoses.some(
      ({ ok: fine, what, advice }: { ok: boolean; what: string; advice?: string }) =>
        !fine &&
        what === `port ${port} for forms` &&
        advice === 'EADDRINUSE; choose another with --port forms=N'
    )
  )
  const well = await runNonet(['doctor', '--port-base=0'], { cwd: folder.path })
  assert.equal(well.code, 0)
  assert.match(well.stdout, /^ok {7}Node \d+/)
  assert.match(well.stdout, /no token of local clients: Behind a proxy, set --public-url: /)
  assert.ok(!existsSync(join(folder.path, 'nonet-data')))
})

test('reset removes what is stored, only for the service named', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, '.nonet-data'), '')
  for (const name of ['reference', 'forms']) {
    mkdirSync(join(folder.path, name))
    writeFileSync(join(folder.path, name, 'file'), '')
  }
  const { stdout } = await runNonet(['reset', 'reference', '--data', folder.path])
  assert.equal(stdout, 'Reset reference\n')
  assert.ok(!existsSync(join(folder.path, 'reference')))
  assert.ok(existsSync(join(folder.path, 'forms')))
  assert.equal(
    (await runNonet(['reset', '--data', folder.path])).stdout,
    'Reset reference, boxes, countries, scenarios, forms, mailbox, statuses, mock, cards\n'
  )
  assert.ok(!existsSync(join(folder.path, 'forms')))
})

test('reset deletes nothing below a folder that is not ours', async () => {
  using folder = temporaryFolder()
  mkdirSync(join(folder.path, 'forms'))
  writeFileSync(join(folder.path, 'forms', 'precious'), '')
  const { code, stderr } = await runNonet(['reset', '--data', folder.path])
  assert.equal(code, 1)
  assert.match(stderr, /^nonet: .* is not a nonet data folder; set one with --data\n$/)
  assert.ok(existsSync(join(folder.path, 'forms', 'precious')))
})

test('a broken running.json is no running nonet', async () => {
  using folder = temporaryFolder()
  for (const [name, text] of Object.entries({ '.nonet-data': '', 'running.json': '{"pi' })) {
    writeFileSync(join(folder.path, name), text)
  }
  assert.equal((await runNonet(['reset', '--data', folder.path])).code, 0)
  assert.equal((await runNonet(['doctor', '--port-base=0', '--data', folder.path])).code, 0)
})

test('a process that holds the folder but does not answer is named', async () => {
  using folder = temporaryFolder()
  const running = { pid: process.pid, console: 'http://127.0.0.1:1', token: 'x' }
  writeFileSync(join(folder.path, 'running.json'), JSON.stringify(running))
  const { code, stderr } = await runNonet(['reset', '--data', folder.path])
  assert.equal(code, 1)
  assert.match(stderr, /^nonet: Process \d+ uses the data folder, but .* does not respond/)
})

test('of two nonets on one folder the one that stops first leaves the other findable', async () => {
  using folder = temporaryFolder()
  await using first = await launchLoadedNonet(['reference', '--data', folder.path])
  await using second = await launchLoadedNonet(['reference', '--data', folder.path])
  await first.end()
  const file = join(folder.path, 'running.json')
  const isWritten = () => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n')
  const deadline = performance.now() + 30_000
  while (!isWritten() && performance.now() < deadline) await wait(20)
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).pid, second.ready.pid)
})

test('what config prints can be given back', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'given.json')
  const shown = await runNonet(['config', '--forms-honeypot', 'website'], { cwd: folder.path })
  writeFileSync(file, shown.stdout)
  const again = await runNonet(['config', '--config', file], { cwd: folder.path })
  assert.equal(again.stdout, shown.stdout)
})

const configurations: readonly { given: object; says: RegExp | undefined }[] = [
  { given: { adminToken: null, reference: { data: null } }, says: undefined },
  { given: { adminToken: '' }, says: undefined },
  { given: { adminToken: 'short' }, says: /--admin-token must have at least 16 characters/ },
  { given: { adminToken: '********' }, says: /--admin-token has a masked value/ },
  { given: { forms: 3 }, says: /forms in .* must be an object/ },
  { given: { forms: { origins: [{}] } }, says: /--forms-origins expects an array of strings/ },
  { given: { data: {} }, says: /--data expects a string/ },
  { given: { quiet: 'perhaps' }, says: /--quiet must be true or false/ },
  { given: [], says: /must contain one JSON object/ }
]

for (const { given, says } of configurations) {
  test(`the file ${JSON.stringify(given)} ${says === undefined ? 'is taken' : 'is refused'}`, async () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'nonet.config.json'), JSON.stringify(given))
    const { code, stdout, stderr } = await runNonet(['config'], { cwd: folder.path })
    assert.equal(code, says === undefined ? 0 : 1)
    if (says === undefined) assert.doesNotMatch(stdout, /adminToken|null/)
    else assert.match(stderr, says)
  })
}

test('an empty token is no token: a new one is made', async () => {
  await using nonet = await launchLoadedNonet([
    'forms',
    '--lan',
    '--ephemeral',
    '--admin-token',
    ''
  ])
  assert.match(nonet.ready.token ?? '', /^[\w-]{32}$/)
  const opened = await fetch(`${nonet.ready.console}/forms/catch.json`, {
    headers: { cookie: 'nonet_console=' }
  })
  assert.equal(opened.status, 401)
})

test('doctor finds what up would stumble over', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'file')
  writeFileSync(file, '')
  mkdirSync(join(folder.path, 'data/reference'), { recursive: true })
  writeFileSync(join(folder.path, 'data/reference/people.json'), '[]')
  await using nonet = await launchLoadedNonet(['reference', '--ephemeral', '--host=::1'])
  const { port } = new URL(nonet.ready.services.reference ?? '')
  const cases: [string[], RegExp][] = [
    [['--data', file], /^problem {2}data folder .*: .* is not a folder/m],
    [['--data', join(folder.path, 'data')], /^problem {2}data of reference in .*: \d+ errors/m],
    [
      ['--port', `reference=${port}`],
      new RegExp(`^problem  port ${port} for reference: EADDRINUSE`, 'm')
    ],
    [['--forms-webhook', 'ftp://x'], /^problem {2}every service starts.*--forms-webhook must be/m]
  ]
  for (const [flags, says] of cases) {
    const { code, stdout } = await runNonet(['doctor', '--port-base=0', ...flags], {
      cwd: folder.path
    })
    assert.equal(code, 1, flags.join(' '))
    assert.match(stdout, says)
  }
})

test('reset of a running nonet brings back the data it came with', async () => {
  using folder = temporaryFolder()
  cpSync(join(ROOT, 'data/reference'), join(folder.path, 'reference'), { recursive: true })
  const people = join(folder.path, 'reference/people.json')
  writeFileSync(people, readFileSync(people, 'utf8').replace('Maren Tørrvik', 'Somebody Else'))
  await using nonet = await launchLoadedNonet(['reference', '--data', folder.path])
  const name = async () => {
    const answer = await fetch(`${nonet.ready.services.reference}/api/people/1/?fields=name`)
    return answer.text()
  }
  assert.equal(await name(), '{"name":"Somebody Else"}')
  assert.equal((await runNonet(['reset', 'reference', '--data', folder.path])).code, 0)
  assert.equal(await name(), '{"name":"Maren Tørrvik"}')
})

test('import marks the data folder as ours', async () => {
  using folder = temporaryFolder()
  const { code } = await runNonet(['import', 'reference', folder.path], { cwd: folder.path })
  assert.equal(code, 1)
  assert.equal(readFileSync(join(folder.path, 'nonet-data/.gitignore'), 'utf8'), '*\n')
})

test('what the system refuses is one line', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'file'), '')
  const to = join(folder.path, 'file', 'below')
  const { code, stderr } = await runNonet([
    'export',
    'reference',
    to,
    '--base-url',
    'https://a.example'
  ])
  assert.equal(code, 1)
  assert.match(stderr, /^nonet: ENOTDIR[^\n]*\n$/)
})

test('reset reaches the nonet that is running on the data folder', async () => {
  using folder = temporaryFolder()
  await using nonet = await launchLoadedNonet(['forms', '--data', folder.path])
  const form = { method: 'POST', body: '{"email":"ada@example.org","fullName":"Ada"}' }
  assert.equal((await fetch(nonet.ready.services.forms ?? '', form)).status, 200)
  const caught = async () => (await fetch(`${nonet.ready.console}/forms/catch.json`)).text()
  assert.match(await caught(), /ada@example\.org/)
  const { code, stdout } = await runNonet(['reset', 'forms', '--data', folder.path])
  assert.deepEqual({ code, stdout }, { code: 0, stdout: 'Reset forms\n' })
  assert.doesNotMatch(await caught(), /ada@example\.org/)
})
